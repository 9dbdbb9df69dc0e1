/**
 * Schemas without the chain, for bundles where every byte counts: checks are arguments, and only those that are
 * imported are shipped. The rules, the issues and the messages are those of `sluice/z`; its schemas fit in here as
 * children.
 *
 * @module
 */
import { makeChecked } from '../internal/z/checks.ts'
import { Core } from '../internal/z/core.ts'
import type { AnyCore, Check, Checked, Definition } from '../internal/z/definition.ts'
import type { Message, Params } from '../internal/z/issue.ts'
import { highest, lowest, whole } from '../internal/z/number-checks.ts'
import { makeObject } from '../internal/z/object-run.ts'
import { atLeast, atMost, EMAIL, patternCheck } from '../internal/z/string-checks.ts'
import { makeNullable, makeOptional } from '../internal/z/wrap-runs.ts'

/** Any schema, with a chain or without. */
export type { AnyCore }

type Side = '_output' | '_input'

/** Keys whose value may be `undefined` get a question mark. */
type ValuesOf<Shape, S extends Side> = {
  [Key in keyof Shape as Shape[Key] extends { readonly [K in S]: infer T }
    ? undefined extends T
      ? never
      : Key
    : never]: Shape[Key] extends { readonly [K in S]: infer T } ? T : never
} & {
  [Key in keyof Shape as Shape[Key] extends { readonly [K in S]: infer T }
    ? undefined extends T
      ? Key
      : never
    : never]?: Shape[Key] extends { readonly [K in S]: infer T } ? T : never
}

type Flat<T> = { [Key in keyof T]: T[Key] }

const checked = <Out>(type: string, checks: readonly Check[], params?: Params): Core<Out> =>
  new Core<Out>({ type, checks, params } as Checked, makeChecked)

/**
 * Accept strings.
 *
 * @example
 * string(minLength(1), email()).parse('ada@lovelace.org') // 'ada@lovelace.org'
 */
export const string = (...checks: readonly Check[]): Core<string> => checked('string', checks)

/**
 * Accept numbers.
 *
 * @example
 * number(integer(), minValue(1)).parse(3) // 3
 */
export const number = (...checks: readonly Check[]): Core<number> => checked('number', checks)

/**
 * Accept `true` and `false`.
 *
 * @example
 * boolean().parse(true) // true
 */
export const boolean = (): Core<boolean> => checked('boolean', [])

/**
 * Accept objects with these keys; others are left out of the output.
 *
 * @example
 * object({ name: string() }).parse({ name: 'Ada', more: 1 }) // { name: 'Ada' }
 */
export const object = <Shape extends { readonly [key: string]: AnyCore }>(
  shape: Shape,
  params?: Params,
): Core<Flat<ValuesOf<Shape, '_output'>>, Flat<ValuesOf<Shape, '_input'>>> & {
  readonly def: { readonly shape: Shape }
} => new Core({ type: 'object', shape, unknownKeys: 'strip', params } as Definition, makeObject) as never

/**
 * Accept `undefined` too.
 *
 * @example
 * optional(string()).parse(undefined) // undefined
 */
export const optional = <Out, In>(inner: Core<Out, In>): Core<Out | undefined, In | undefined> =>
  new Core<Out | undefined, In | undefined>({ type: 'optional', inner } as Definition, makeOptional)

/**
 * Accept `null` too.
 *
 * @example
 * nullable(string()).parse(null) // null
 */
export const nullable = <Out, In>(inner: Core<Out, In>): Core<Out | null, In | null> =>
  new Core<Out | null, In | null>({ type: 'nullable', inner } as Definition, makeNullable)

/**
 * An address that mail is sent to in practice.
 *
 * @example
 * string(email()).safeParse('x').success // false
 */
export const email = (message?: Message): Check => patternCheck('email', EMAIL, message)

/**
 * Matched by the pattern.
 *
 * @example
 * string(regex(/^a/)).parse('ab') // 'ab'
 */
export const regex = (pattern: RegExp, message?: Message): Check => patternCheck('regex', pattern, message, 'Invalid')

/**
 * At least so many UTF-16 code units.
 *
 * @example
 * string(minLength(2)).safeParse('a').success // false
 */
export const minLength = (length: number, message?: Message): Check => atLeast(length, message)

/**
 * At most so many UTF-16 code units.
 *
 * @example
 * string(maxLength(2)).safeParse('abc').success // false
 */
export const maxLength = (length: number, message?: Message): Check => atMost(length, message)

/**
 * This number or more.
 *
 * @example
 * number(minValue(1)).safeParse(0).success // false
 */
export const minValue = (limit: number, message?: Message): Check => lowest(limit, message)

/**
 * This number or less.
 *
 * @example
 * number(maxValue(1)).safeParse(2).success // false
 */
export const maxValue = (limit: number, message?: Message): Check => highest(limit, message)

/**
 * Without a fraction.
 *
 * @example
 * number(integer()).safeParse(1.5).success // false
 */
export const integer = (message?: Message): Check => whole(message)
