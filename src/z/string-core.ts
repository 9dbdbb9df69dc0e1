import { type Checked, change, withCheck } from './checks.ts'
import type { Message } from './issue.ts'
import { Schema } from './schema.ts'
import { atLeast, atMost, EMAIL, patternCheck, textCheck } from './string-checks.ts'

/** What every string schema has: sizes, affixes, changes of case, and the formats of forms. */
export class CoreString extends Schema<string> {
  declare readonly def: Checked

  /** At least so many UTF-16 code units. */
  min(length: number, message?: Message): this {
    return withCheck(this, atLeast(length, message))
  }

  /** At most so many UTF-16 code units. */
  max(length: number, message?: Message): this {
    return withCheck(this, atMost(length, message))
  }

  /** Exactly so many UTF-16 code units. */
  length(length: number, message?: Message): this {
    return withCheck(withCheck(this, atLeast(length, message, true)), atMost(length, message, true))
  }

  /** At least one UTF-16 code unit. */
  nonempty(message?: Message): this {
    return this.min(1, message)
  }

  /** An address that mail is sent to in practice: `name+tag@host.tld`. */
  email(message?: Message): this {
    return format(this, 'email', EMAIL, message)
  }

  /** What `new URL` accepts, `javascript:` included; `protocol` says which are allowed, tested without the colon. */
  url(options?: Message & { readonly protocol?: RegExp }): this {
    const protocol = (options as { protocol?: RegExp } | undefined)?.protocol
    return test(
      this,
      'url',
      (value) => URL.canParse(value) && (!protocol || protocol.test(new URL(value).protocol.slice(0, -1))),
      options,
    )
  }

  /** Hexadecimal digits in groups of 8, 4, 4, 4 and 12; `version` asks for that version and the variant of RFC 9562. */
  uuid(options?: Message & { readonly version?: number }): this {
    const version = (options as { version?: number } | undefined)?.version
    return test(
      this,
      'uuid',
      (value) => UUID.test(value) && (!version || (value[14] === `${version}` && '89abAB'.includes(value[19]!))),
      options,
    )
  }

  /** Matched by the pattern; flags `g` and `y` carry nothing from one value to the next. */
  regex(pattern: RegExp, message?: Message): this {
    return format(this, 'regex', pattern, message, 'Invalid')
  }

  /** Contains the text, at `position` or after it. */
  includes(text: string, options?: Message & { readonly position?: number }): this {
    const position = (options as { position?: number } | undefined)?.position
    const where = position === undefined ? '' : ` at one or more positions greater than or equal to ${position}`
    return test(
      this,
      { includes: text, position },
      (value) => value.includes(text, position),
      options,
      `Invalid input: must include "${text}"${where}`,
    )
  }

  /** Begins with the text. */
  startsWith(text: string, message?: Message): this {
    const words = `Invalid input: must start with "${text}"`
    return test(this, { startsWith: text }, (value) => value.startsWith(text), message, words)
  }

  /** Ends with the text. */
  endsWith(text: string, message?: Message): this {
    const words = `Invalid input: must end with "${text}"`
    return test(this, { endsWith: text }, (value) => value.endsWith(text), message, words)
  }

  /** Without white space at both ends, for the checks that follow and for the output. */
  trim(): this {
    return withCheck(this, change('trim'))
  }

  /** In lower case, for the checks that follow and for the output. */
  toLowerCase(): this {
    return withCheck(this, change('toLowerCase'))
  }

  /** In upper case, for the checks that follow and for the output. */
  toUpperCase(): this {
    return withCheck(this, change('toUpperCase'))
  }
}

/** Any version and variant. */
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

type Validation = string | { readonly [kind: string]: unknown }

/** Add a check that reports `invalid_string`. */
export const test = <T extends CoreString>(
  schema: T,
  validation: Validation,
  holds: (value: string) => boolean,
  message?: Message,
  words?: string,
): T => withCheck(schema, textCheck(validation, holds, message, words))

/** Add a check by a pattern. */
export const format = <T extends CoreString>(
  schema: T,
  validation: string,
  pattern: RegExp,
  message?: Message,
  words?: string,
): T => withCheck(schema, patternCheck(validation, pattern, message, words))
