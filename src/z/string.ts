import { type Checked, makeChecked } from './checks.ts'
import type { Make } from './definition.ts'
import {
  type DateTimeOptions,
  isCidr,
  isDate,
  isDateTime,
  isDuration,
  isIp,
  isJwt,
  isTime,
  type TimeOptions,
} from './formats.ts'
import type { Message, Params } from './issue.ts'
import { CoreString, format, test } from './string-core.ts'

/** Which addresses are meant. */
export interface IpOptions {
  /** @default both */
  readonly version?: 'v4' | 'v6' | undefined
}

type WithMessage<T> = string | (T & { readonly message?: string | undefined })

const optionsOf = <T extends object>(options: WithMessage<T> | undefined): Partial<T> =>
  typeof options === 'object' ? options : {}

/** Of `string()`. */
export class StringSchema extends CoreString {
  /** A day that exists: `2028-02-29`. */
  date(message?: Message): this {
    return test(this, 'date', isDate, message)
  }

  /** A time of day: `12:30:00`. */
  time(options?: WithMessage<TimeOptions>): this {
    return test(this, 'time', isTime(optionsOf(options)), options)
  }

  /** A day and time in UTC: `2026-01-01T12:30:00Z`; with `offset` in other zones too, with `local` without zone too. */
  datetime(options?: WithMessage<DateTimeOptions>): this {
    return test(this, 'datetime', isDateTime(optionsOf(options)), options)
  }

  /** An ISO 8601 duration: `P1DT12H`. */
  duration(message?: Message): this {
    return test(this, 'duration', isDuration(), message)
  }

  /** An IPv4 or IPv6 address. */
  ip(options?: WithMessage<IpOptions>): this {
    const { version } = optionsOf(options)
    return test(this, 'ip', (value) => isIp(value, version), options)
  }

  /** An address and the length of its prefix: `10.0.0.0/8`. */
  cidr(options?: WithMessage<IpOptions>): this {
    const { version } = optionsOf(options)
    return test(this, 'cidr', (value) => isCidr(value, version), options)
  }

  /** A signed token, by its form and header alone; the signature is not looked at. */
  jwt(options?: WithMessage<{ readonly alg?: string }>): this {
    const { alg } = optionsOf(options)
    return test(this, 'jwt', (value) => isJwt(value, alg), options)
  }

  /** An id of `cuid`. */
  cuid(message?: Message): this {
    return format(this, 'cuid', /^c[^\s-]{8,}$/i, message)
  }

  /** An id of `cuid2`. */
  cuid2(message?: Message): this {
    return format(this, 'cuid2', /^[\da-z]+$/, message)
  }

  /** An id of `ulid`: 26 characters of Crockford's base 32. */
  ulid(message?: Message): this {
    return format(this, 'ulid', /^[\da-hjkmnp-tv-z]{26}$/i, message)
  }

  /** An id of `nanoid`: 21 characters. */
  nanoid(message?: Message): this {
    return format(this, 'nanoid', /^[\w-]{21}$/, message)
  }

  /** Padded base64. */
  base64(message?: Message): this {
    return format(this, 'base64', /^(?:[a-z\d+/]{4})*(?:[a-z\d+/]{2}==|[a-z\d+/]{3}=)?$/i, message)
  }

  /** base64 for addresses, padded or not. */
  base64url(message?: Message): this {
    return format(this, 'base64url', /^(?:[\w-]{4})*(?:[\w-]{2}(?:==)?|[\w-]{3}=?)?$/, message)
  }

  /** Emoji alone. */
  emoji(message?: Message): this {
    return format(this, 'emoji', /^[\p{Extended_Pictographic}\p{Emoji_Component}]+$/u, message)
  }
}

/** A run for strings. */
export const makeString: Make = /* @__PURE__ */ makeChecked()

/**
 * Accept strings.
 *
 * Reports `invalid_type`; its checks `too_small`, `too_big` and `invalid_string`.
 *
 * @example
 * string().trim().email().parse(' ada@lovelace.org ') // 'ada@lovelace.org'
 */
export const string = (params?: Params): StringSchema =>
  new StringSchema({ type: 'string', checks: [], params } as Checked, makeString)
