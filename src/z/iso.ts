/**
 * Dates and times of ISO 8601 as texts, as zod 4 has them: `z.iso.date()` is `z.string().date()`.
 *
 * @module
 */
import type { DateTimeOptions, TimeOptions } from '../internal/z/format-tests.ts'
import type { Message } from '../internal/z/issue.ts'
import type { Whole } from './all/more.ts'
import { string, type WholeString } from './all/string.ts'
import type { WithMessage } from './formats.ts'

/**
 * A day that exists.
 *
 * @example
 * date().parse('2028-02-29') // '2028-02-29'
 */
export const date = (message?: Message): Whole<WholeString> => string().date(message)

/**
 * A time of day.
 *
 * @example
 * time().parse('12:30:00') // '12:30:00'
 */
export const time = (options?: WithMessage<TimeOptions>): Whole<WholeString> => string().time(options)

/**
 * A day and time in UTC; with `offset` in other zones too, with `local` without zone too.
 *
 * @example
 * datetime().parse('2026-01-01T12:30:00Z') // '2026-01-01T12:30:00Z'
 */
export const datetime = (options?: WithMessage<DateTimeOptions>): Whole<WholeString> => string().datetime(options)

/**
 * A duration.
 *
 * @example
 * duration().parse('P1DT12H') // 'P1DT12H'
 */
export const duration = (message?: Message): Whole<WholeString> => string().duration(message)
