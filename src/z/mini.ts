/**
 * Schemas without methods for checks, for bundles where every byte counts: checks are arguments, and a bundle contains
 * only those that it imports. The rules, issues and messages are those of `sluice/z`. Schemas of both can contain each
 * other.
 *
 * @module
 */
import { DEV } from '#mode'
import { limitCheck, whole } from '../internal/z/checks.ts'
import type { AnyCore, Check } from '../internal/z/definition.ts'
import { makeKeys, makeLeaf } from '../internal/z/mini-runs.ts'
import { type MiniError, type MiniResult, MiniSchema } from '../internal/z/mini-schema.ts'
import type { ValuesOf } from '../internal/z/object-types.ts'
import { EMAIL, lengthCheck, matchesPattern } from '../internal/z/string-checks.ts'
import type { Shape } from '../internal/z/types.ts'
import { makeNullable, makeOptional } from '../internal/z/wrap-runs.ts'

export type { AnyCore, MiniError, MiniResult, MiniSchema }

const leaf = <Out>(type: string, checks: readonly Check[]): MiniSchema<Out> => {
  if (DEV && checks.some(({ change }) => change))
    throw new TypeError('z/mini: checks: expected checks that do not change the value: overwrite needs sluice/z')
  return new MiniSchema<Out>({ type, checks }, makeLeaf)
}

/**
 * Accept strings.
 *
 * @throws {TypeError} when made, for a check that changes the value.
 * @example
 * string(minLength(1), email()).parse('ada@lovelace.org') // 'ada@lovelace.org'
 */
export const string = (...checks: readonly Check[]): MiniSchema<string> => leaf('string', checks)

/**
 * Accept numbers.
 *
 * @example
 * number(integer(), minValue(1)).parse(3) // 3
 */
export const number = (...checks: readonly Check[]): MiniSchema<number> => leaf('number', checks)

/** Accept `true` and `false`. */
export const boolean = (): MiniSchema<boolean> => leaf('boolean', [])

/**
 * Accept objects with these keys; others are left out of the output.
 *
 * @example
 * object({ name: string() }).parse({ name: 'Ada', more: 1 }) // { name: 'Ada' }
 */
export const object = <T extends Shape>(
  shape: T,
): MiniSchema<ValuesOf<T, '_output'>, ValuesOf<T, '_input'>> & { readonly def: { readonly shape: T } } =>
  new MiniSchema({ type: 'object', shape, unknownKeys: 'strip' }, makeKeys) as never

/** Accept `undefined` too. */
export const optional = <T extends AnyCore>(inner: T): MiniSchema<T['_output'] | undefined, T['_input'] | undefined> =>
  new MiniSchema({ type: 'optional', inner }, makeOptional)

/** Accept `null` too. */
export const nullable = <T extends AnyCore>(inner: T): MiniSchema<T['_output'] | null, T['_input'] | null> =>
  new MiniSchema({ type: 'nullable', inner }, makeNullable)

/** An email address as used in practice. */
export const email = (message = 'Invalid email'): Check => matches('email', EMAIL, message)

/**
 * Require a match of the pattern.
 *
 * @example
 * string(regex(/^a/)).parse('ab') // 'ab'
 */
export const regex = (pattern: RegExp, message = 'Invalid'): Check => matches('regex', pattern, message)

const matches = (kind: string, value: RegExp, text: string): Check => ({
  kind,
  value,
  holds: matchesPattern(value),
  issue: { validation: kind, code: 'invalid_string' },
  text,
})

/** Require at least so many UTF-16 code units. */
export const minLength = (length: number, message?: string): Check => lengthCheck('min', length, message)

/** Require at most so many UTF-16 code units. */
export const maxLength = (length: number, message?: string): Check => lengthCheck('max', length, message)

/** Require this number or more. */
export const minValue = (limit: number, message?: string): Check => limitCheck('min', limit, message)

/** Require this number or less. */
export const maxValue = (limit: number, message?: string): Check => limitCheck('max', limit, message)

/** Require a whole number. */
export const integer = (message?: string): Check => whole(message)
