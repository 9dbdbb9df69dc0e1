/**
 * Dates and times of ISO 8601 as strings, as zod 4 has them: `z.iso.date()` is `z.string().date()`. `datetime` and
 * `duration` are stricter than the methods of zod 3.
 *
 * @module
 */

import type { Check } from '../internal/z/definition.ts'
import type { DateTimeOptions, TimeOptions } from '../internal/z/format-tests.ts'
import type { Message } from '../internal/z/issue.ts'
import type { WithMessage } from './formats.ts'
import * as checks from './formats.ts'
import { type StringSchema, string } from './string.ts'

/**
 * A day that exists.
 *
 * @example
 * date().parse('2028-02-29') // '2028-02-29'
 */
export const date = (message?: Message): StringSchema => string().check(checks.date(message))

const withCheck = (check: Check, holds: (value: string) => boolean): StringSchema =>
  string().check({ ...check, holds: (value: string) => check.holds(value) && holds(value) })

/** A time of day. With `precision: 0` seconds are required. */
export const time = (options?: WithMessage<TimeOptions>): StringSchema =>
  typeof options === 'object' && options.precision === 0
    ? withCheck(checks.time(options), (value) => value.length === '12:30:00'.length)
    : string().check(checks.time(options))

const NO_ZONE = /^[\d:.]*$/
/** A zone that exists, as RFC 3339 §5.6 writes it. */
const ZONE = /(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

/**
 * A day and time in UTC; with `offset` in other zones too, with `local` without zone too. With a zone there are
 * seconds, unless `precision` is -1; with the `precision` 0 also without one.
 */
export const datetime = (options?: WithMessage<DateTimeOptions>): StringSchema => {
  const { precision } = typeof options === 'object' ? options : {}
  const mark = precision === -1 ? '' : ':'
  return withCheck(checks.datetime(options), (value) => {
    const suffix = value.slice('2026-01-01T12:30'.length)
    return NO_ZONE.test(suffix) ? precision !== 0 || suffix !== '' : ZONE.test(suffix) && suffix.startsWith(mark)
  })
}

/** A duration with weeks alone, without signs, and with a fraction of the seconds only. */
const STRICT_DURATION = /^P(?:\d+W|[\dYMDTH]*(?:[.,]\d+)?S?)$/

/** A duration of ISO 8601-1. */
export const duration = (message?: Message): StringSchema =>
  withCheck(checks.duration(message), (value) => STRICT_DURATION.test(value))
