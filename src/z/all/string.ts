import { makeChecked } from '../../internal/z/checks.ts'
import type { DateTimeOptions, TimeOptions } from '../../internal/z/format-tests.ts'
import type { ErrorParams, Message } from '../../internal/z/issue.ts'
import { textCheck } from '../../internal/z/string-checks.ts'
import type { IpOptions, WithMessage } from '../formats.ts'
import * as formats from '../formats.ts'
import type { StringSchema } from '../string.ts'
import { StringWithFacts } from './string-facts.ts'
import type { Zod3Schema } from './zod3-methods.ts'
import { create } from './zod3-schema.ts'

/**
 * The schema that `string()` of `sluice/zod3` returns, with every check and format of zod 3. `formats` of `sluice/z`
 * says what each format accepts.
 */
export class Zod3String extends StringWithFacts {
  /** Contains the text, at `position` or after it. */
  includes(text: string, options?: Message & { readonly position?: number }): this {
    const position = options?.position
    const where = position === undefined ? '' : ` at one or more positions greater than or equal to ${position}`
    const holds = (value: string): boolean => value.includes(text, position)
    return affix(this, { includes: text, position }, holds, options, `include "${text}"${where}`)
  }

  /** Begins with the text. */
  startsWith(text: string, message?: Message): this {
    return affix(this, { startsWith: text }, (value) => value.startsWith(text), message, `start with "${text}"`)
  }

  /** Ends with the text. */
  endsWith(text: string, message?: Message): this {
    return affix(this, { endsWith: text }, (value) => value.endsWith(text), message, `end with "${text}"`)
  }

  date(message?: Message): this {
    return this.check(formats.date(message))
  }

  time(options?: WithMessage<TimeOptions>): this {
    return this.check(formats.time(options))
  }

  datetime(options?: WithMessage<DateTimeOptions>): this {
    return this.check(formats.datetime(options))
  }

  duration(message?: Message): this {
    return this.check(formats.duration(message))
  }

  ip(options?: WithMessage<IpOptions>): this {
    return this.check(formats.ip(options))
  }

  cidr(options?: WithMessage<IpOptions>): this {
    return this.check(formats.cidr(options))
  }

  jwt(options?: WithMessage<{ readonly alg?: string }>): this {
    return this.check(formats.jwt(options))
  }

  cuid(message?: Message): this {
    return this.check(formats.cuid(message))
  }

  cuid2(message?: Message): this {
    return this.check(formats.cuid2(message))
  }

  ulid(message?: Message): this {
    return this.check(formats.ulid(message))
  }

  nanoid(message?: Message): this {
    return this.check(formats.nanoid(message))
  }

  base64(message?: Message): this {
    return this.check(formats.base64(message))
  }

  base64url(message?: Message): this {
    return this.check(formats.base64url(message))
  }

  emoji(message?: Message): this {
    return this.check(formats.emoji(message))
  }
}

const affix = <T extends StringSchema>(
  schema: T,
  validation: object,
  holds: (value: string) => boolean,
  message: Message | undefined,
  words: string,
): T =>
  schema.check(
    textCheck(validation, holds, message, `Invalid input: must ${words}`, undefined, Object.keys(validation)[0]),
  )

/** Accept strings. */
export const string = (params?: ErrorParams): Zod3Schema<Zod3String> =>
  create(Zod3String, { type: 'string', checks: [], params }, makeChecked)
