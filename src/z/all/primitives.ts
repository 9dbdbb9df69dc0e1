import type { ErrorParams } from '../../internal/z/issue.ts'
import type { Schema } from '../../internal/z/schema.ts'
import { any as smallAny } from '../any.ts'
import { boolean as smallBoolean } from '../boolean.ts'
import { type EnumSchema, type Mutable, oneOf as smallOneOf } from '../enum.ts'
import { type LiteralSchema, type Primitive, literal as smallLiteral } from '../literal.ts'
import { nan as smallNan } from '../nan.ts'
import { type EnumLike, type NativeEnumSchema, nativeEnum as smallNativeEnum } from '../native-enum.ts'
import { never as smallNever } from '../never.ts'
import { nullValue as smallNullValue } from '../null.ts'
import { type StringBoolOptions, stringbool as smallStringbool } from '../stringbool.ts'
import { symbol as smallSymbol } from '../symbol.ts'
import { undefinedValue as smallUndefinedValue } from '../undefined.ts'
import { unknown as smallUnknown } from '../unknown.ts'
import { voidValue as smallVoidValue } from '../void.ts'
import type { Whole } from './zod3-methods.ts'
import { whole } from './zod3-schema.ts'

/**
 * Accept everything; the type is `any`.
 *
 * @example
 * any().parse(5) // 5
 */
// any: it is what the user asks for.
export const any = (params?: ErrorParams): Whole<Schema<any>> => whole(smallAny(params))

/**
 * Accept `true` and `false`.
 *
 * @example
 * boolean().parse(true) // true
 */
export const boolean = (params?: ErrorParams): Whole<Schema<boolean>> => whole(smallBoolean(params))

/**
 * Accept `NaN`.
 *
 * @example
 * nan().parse(Number.NaN) // NaN
 */
export const nan = (params?: ErrorParams): Whole<Schema<number>> => whole(smallNan(params))

/**
 * Accept nothing.
 *
 * @example
 * never().safeParse(1).success // false
 */
export const never = (params?: ErrorParams): Whole<Schema<never>> => whole(smallNever(params))

/**
 * Accept `null`: `z.null()`.
 *
 * @example
 * nullValue().parse(null) // null
 */
export const nullValue = (params?: ErrorParams): Whole<Schema<null>> => whole(smallNullValue(params))

/**
 * Accept symbols.
 *
 * @example
 * symbol().safeParse('a').success // false
 */
export const symbol = (params?: ErrorParams): Whole<Schema<symbol>> => whole(smallSymbol(params))

/**
 * Accept `undefined`: `z.undefined()`.
 *
 * @example
 * undefinedValue().parse(undefined) // undefined
 */
export const undefinedValue = (params?: ErrorParams): Whole<Schema<undefined>> => whole(smallUndefinedValue(params))

/**
 * Accept everything; the type is `unknown`.
 *
 * @example
 * unknown().parse(5) // 5
 */
export const unknown = (params?: ErrorParams): Whole<Schema<unknown>> => whole(smallUnknown(params))

/**
 * Accept `undefined`; the type is `void`: `z.void()`.
 *
 * @example
 * voidValue().parse(undefined) // undefined
 */
export const voidValue = (params?: ErrorParams): Whole<Schema<void>> => whole(smallVoidValue(params))

/**
 * Accept words for yes and no, and return a boolean: for environment variables and query strings.
 *
 * @example
 * stringbool().parse('Yes') // true
 */
export const stringbool = (options?: StringBoolOptions): Whole<Schema<boolean, string>> =>
  whole(smallStringbool(options))

/**
 * Accept one value and no other, or, as in zod 4, each value of a list.
 *
 * @throws {TypeError} when made, for an object, which no input is equal to.
 * @example
 * literal('admin').safeParse('guest').success // false
 */
export function literal<const T extends readonly Primitive[]>(values: T, params?: ErrorParams): Whole<Schema<T[number]>>
export function literal<T extends Primitive>(value: T, params?: ErrorParams): Whole<LiteralSchema<T>>
export function literal(value: Primitive, params?: ErrorParams): unknown {
  return whole(smallLiteral(value, params))
}

/**
 * Accept these strings: `z.enum(['a', 'b'])`.
 *
 * @throws {TypeError} when made, for anything but a list.
 * @example
 * oneOf(['draft', 'published']).options // ['draft', 'published']
 */
export const oneOf = <const Values extends readonly string[]>(
  values: Values,
  params?: ErrorParams,
): Whole<EnumSchema<Mutable<Values>>> => {
  if (!Array.isArray(values))
    throw new TypeError('enum: values: expected a list of strings; for an object, use nativeEnum')
  return whole(smallOneOf(values, params))
}

/**
 * Accept the values of an object.
 *
 * @example
 * nativeEnum({ low: 0, high: 1 }).parse(1) // 1
 */
export const nativeEnum = <T extends EnumLike>(values: T, params?: ErrorParams): Whole<NativeEnumSchema<T>> =>
  whole(smallNativeEnum(values, params))
