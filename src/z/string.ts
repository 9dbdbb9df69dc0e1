import { CheckedSchema } from '../internal/z/checked-schema.ts'
import { makeChecked } from '../internal/z/checks.ts'
import type { Check, CheckedDefinition } from '../internal/z/definition.ts'
import type { Message, Params } from '../internal/z/issue.ts'
import { EMAIL, lengthCheck, patternCheck, textCheck } from '../internal/z/string-checks.ts'

/** The schema that `string()` returns: sizes, formats of forms, and changes of white space and case. */
export class StringSchema extends CheckedSchema<string> {
  /** Require at least so many UTF-16 code units. */
  min(length: number, message?: Message): this {
    return this.check(lengthCheck('min', length, message))
  }

  /** Require at most so many UTF-16 code units. */
  max(length: number, message?: Message): this {
    return this.check(lengthCheck('max', length, message))
  }

  /** Require exactly so many UTF-16 code units. */
  length(length: number, message?: Message): this {
    return this.check(lengthCheck('min', length, message, true), lengthCheck('max', length, message, true))
  }

  /** Require at least one UTF-16 code unit. */
  nonempty(message?: Message): this {
    return this.min(1, message)
  }

  /** An email address as used in practice: `name+tag@host.tld`. */
  email(message?: Message): this {
    return this.check(patternCheck('email', EMAIL, message))
  }

  /** A text that `new URL` accepts, even `javascript:`; `protocol` restricts it, and is tested without the colon. */
  url(options?: Message & { readonly protocol?: RegExp }): this {
    const holds = (value: string): boolean => {
      // `URL.canParse` of Node 20 and 22 refuses é and other letters of Latin-1 once it is called some thousand times
      try {
        const { protocol } = new URL(value)
        return !options?.protocol || protocol.slice(0, -1).search(options.protocol) >= 0
      } catch {
        return false
      }
    }
    return this.check(textCheck('url', holds, options))
  }

  /** Hexadecimal digits in groups of 8, 4, 4, 4 and 12; `version` asks for that version and the variant of RFC 9562. */
  uuid(options?: Message & { readonly version?: number }): this {
    const version = options?.version
    const holds = (value: string): boolean =>
      UUID.test(value) && (!version || (value[14] === `${version}` && '89abAB'.includes(value[19]!)))
    return this.check(textCheck('uuid', holds, options))
  }

  /** Require a match of the pattern; flags `g` and `y` keep no state from one value to the next. */
  regex(pattern: RegExp, message?: Message): this {
    return this.check(patternCheck('regex', pattern, message, 'Invalid'))
  }

  /** Remove white space at both ends, for later checks and for the output. */
  trim(): this {
    return addChange(this, 'trim')
  }

  /** Convert to lower case, for later checks and for the output. */
  toLowerCase(): this {
    return addChange(this, 'toLowerCase')
  }

  /** Convert to upper case, for later checks and for the output. */
  toUpperCase(): this {
    return addChange(this, 'toUpperCase')
  }
}

/** A UUID of any version and variant. */
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** A check that changes a string by its method of this name, and cannot fail. */
const addChange = <T extends StringSchema>(schema: T, kind: 'trim' | 'toLowerCase' | 'toUpperCase'): T =>
  schema.check({ kind, holds: () => false, change: (value: string) => value[kind]() } as Check)

/**
 * Accept strings. Reports `invalid_type`; its checks `too_small`, `too_big` and `invalid_string`.
 *
 * @example
 * string().trim().email().parse(' ada@lovelace.org ') // 'ada@lovelace.org'
 */
export const string = (params?: Params): StringSchema =>
  new StringSchema({ type: 'string', checks: [], params } as CheckedDefinition, makeChecked)
