/**
 * Checks of strings for `check`: `z.string().check(z.formats.ip())`. `sluice/zod3` has them as methods.
 *
 * @module
 */
import type { Check } from '../internal/z/definition.ts'
import {
  type DateTimeOptions,
  dateTimePattern,
  isCidr,
  isDate,
  isDuration,
  isIp,
  isJwt,
  type TimeOptions,
  timePattern,
} from '../internal/z/format-tests.ts'
import type { Message } from '../internal/z/issue.ts'
import { patternCheck, textCheck } from '../internal/z/string-checks.ts'

/** The version of addresses that is accepted. */
export interface IpOptions {
  /** @default both */
  readonly version?: 'v4' | 'v6' | undefined
}

/** Options of a check, its message among them, or the message alone. */
export type WithMessage<T> = string | (T & { readonly message?: string | undefined })

const optionsOf = <T extends object>(options: WithMessage<T> | undefined): Partial<T> =>
  typeof options === 'object' ? options : {}

/**
 * A day that exists: `2028-02-29`.
 *
 * @example
 * string().check(date()).safeParse('2026-02-29').success // false
 */
export const date = (message?: Message): Check => textCheck('date', isDate, message)

/** A time of day: `12:30:00`. */
export const time = (options?: WithMessage<TimeOptions>): Check => {
  const pattern = timePattern(optionsOf(options))
  return { ...textCheck('time', (value) => pattern.test(value), options), pattern }
}

/** A day and time in UTC: `2026-01-01T12:30:00Z`; with `offset` in other zones too, with `local` without zone too. */
export const datetime = (options?: WithMessage<DateTimeOptions>): Check => {
  const settings = optionsOf(options)
  const pattern = dateTimePattern(settings)
  const holds = (value: string): boolean => pattern.test(value) && isDate(value.slice(0, 10))
  // JSON Schema's `date-time` has seconds and a zone
  const isOther = settings.local || settings.precision === -1
  return { ...textCheck('datetime', holds, options), ...(isOther && { pattern }) }
}

/** An ISO 8601 duration: `P1DT12H`. */
export const duration = (message?: Message): Check => textCheck('duration', isDuration(), message)

/**
 * An IPv4 or IPv6 address.
 *
 * @example
 * string().check(ip({ version: 'v4' })).safeParse('::1').success // false
 */
export const ip = (options?: WithMessage<IpOptions>): Check => {
  const { version } = optionsOf(options)
  return textCheck('ip', (value) => isIp(value, version), options, undefined, version)
}

/** An address and the length of its prefix: `10.0.0.0/8`. */
export const cidr = (options?: WithMessage<IpOptions>): Check => {
  const { version } = optionsOf(options)
  return textCheck('cidr', (value) => isCidr(value, version), options, undefined, version)
}

/** A signed token, by its form and header alone; the signature is not verified. */
export const jwt = (options?: WithMessage<{ readonly alg?: string }>): Check => {
  const { alg } = optionsOf(options)
  return textCheck('jwt', (value) => isJwt(value, alg), options)
}

/** An id of `cuid`. */
export const cuid = (message?: Message): Check => patternCheck('cuid', /^c[^\s-]{8,}$/i, message)

/** An id of `cuid2`. */
export const cuid2 = (message?: Message): Check => patternCheck('cuid2', /^[\da-z]+$/, message)

/** An id of `ulid`: 26 characters of Crockford's base 32. */
export const ulid = (message?: Message): Check => patternCheck('ulid', /^[\da-hjkmnp-tv-z]{26}$/i, message)

/** An id of `nanoid`: 21 characters. */
export const nanoid = (message?: Message): Check => patternCheck('nanoid', /^[\w-]{21}$/, message)

/** Padded base64. */
export const base64 = (message?: Message): Check =>
  // Four classes: `{4}` overflows the engine of the pattern on ten megabytes, which may well be an image
  patternCheck('base64', /^(?:[a-z\d+/][a-z\d+/][a-z\d+/][a-z\d+/])*(?:[a-z\d+/]{2}==|[a-z\d+/]{3}=)?$/i, message)

/** base64 for addresses, padded or not. */
export const base64url = (message?: Message): Check =>
  patternCheck('base64url', /^(?:[\w-][\w-][\w-][\w-])*(?:[\w-]{2}(?:==)?|[\w-]{3}=?)?$/, message)

const EMOJI = '\\p{Extended_Pictographic}\\p{Emoji_Component}'

/** Emoji alone. The pattern is made with the check: as a literal, it would cost every process that loads this file. */
export const emoji = (message?: Message): Check => patternCheck('emoji', new RegExp(`^[${EMOJI}]+$`, 'u'), message)
