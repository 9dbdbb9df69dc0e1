import type { ErrorParams } from '../../internal/z/issue.ts'
import type { Schema } from '../../internal/z/schema.ts'
import {
  type EnumLike,
  type EnumSchema,
  type Mutable,
  type NativeEnumSchema,
  nativeEnum as smallNativeEnum,
  oneOf as smallOneOf,
} from '../enum.ts'
import { type FileSchema, file as smallFile } from '../file.ts'
import { type Json, json as smallJson } from '../json.ts'
import { type LiteralSchema, type Primitive, literal as smallLiteral } from '../literal.ts'
import * as small from '../primitives.ts'
import { type StringBoolOptions, stringbool as smallStringbool } from '../stringbool.ts'
import { templateLiteral as smallTemplateLiteral, type Template, type TemplatePart } from '../template-literal.ts'
import type { Zod3Schema } from './zod3-methods.ts'
import { toZod3 } from './zod3-schema.ts'

/** Accept everything; the type is `any`. */
// any: the user asks for it
export const any = (params?: ErrorParams): Zod3Schema<Schema<any>> => toZod3(small.any(params))

/** Accept `true` and `false`. */
export const boolean = (params?: ErrorParams): Zod3Schema<Schema<boolean>> => toZod3(small.boolean(params))

/** Accept `NaN`. */
export const nan = (params?: ErrorParams): Zod3Schema<Schema<number>> => toZod3(small.nan(params))

/** Accept nothing. */
export const never = (params?: ErrorParams): Zod3Schema<Schema<never>> => toZod3(small.never(params))

/** Accept `null`: `z.null()`. */
const nullValue = (params?: ErrorParams): Zod3Schema<Schema<null>> => toZod3(small.null(params))

/** Accept symbols. */
export const symbol = (params?: ErrorParams): Zod3Schema<Schema<symbol>> => toZod3(small.symbol(params))

/** Accept `undefined`: `z.undefined()`. */
const undefinedValue = (params?: ErrorParams): Zod3Schema<Schema<undefined>> => toZod3(small.undefined(params))

/** Accept everything; the type is `unknown`. */
export const unknown = (params?: ErrorParams): Zod3Schema<Schema<unknown>> => toZod3(small.unknown(params))

/** Accept `undefined`; the type is `void`: `z.void()`. */
const voidValue = (params?: ErrorParams): Zod3Schema<Schema<void>> => toZod3(small.void(params))

/** Accept words for yes and no, and return a boolean: for environment variables and query strings. */
export const stringbool = (options?: StringBoolOptions): Zod3Schema<Schema<boolean, string>> =>
  toZod3(smallStringbool(options))

/**
 * Accept one value and no other, or, as in zod 4, each value of a list.
 *
 * @throws {TypeError} when made, for an object, which no input is equal to.
 */
export function literal<const T extends readonly Primitive[]>(
  values: T,
  params?: ErrorParams,
): Zod3Schema<Schema<T[number]>>
export function literal<T extends Primitive>(value: T, params?: ErrorParams): Zod3Schema<LiteralSchema<T>>
export function literal(value: Primitive, params?: ErrorParams): unknown {
  return toZod3(smallLiteral(value, params))
}

/**
 * Accept these strings: `z.enum(['a', 'b'])`.
 *
 * @throws {TypeError} when made, for anything but a list.
 */
const oneOf = <const Values extends readonly string[]>(
  values: Values,
  params?: ErrorParams,
): Zod3Schema<EnumSchema<Mutable<Values>>> => {
  if (!Array.isArray(values))
    throw new TypeError('enum: values: expected a list of strings; for an object, use nativeEnum')
  return toZod3(smallOneOf(values, params))
}

/** Accept the values of an object. */
export const nativeEnum = <T extends EnumLike>(values: T, params?: ErrorParams): Zod3Schema<NativeEnumSchema<T>> =>
  toZod3(smallNativeEnum(values, params))

/** Accept strings that consist of these parts, one behind the other: `${number}px`. */
export const templateLiteral = <const Parts extends readonly TemplatePart[]>(
  parts: Parts,
  params?: ErrorParams,
): Zod3Schema<Schema<Template<Parts>>> => toZod3(smallTemplateLiteral(parts, params))

/** Accept values of JSON, to a depth of 500 levels. */
export const json = (params?: ErrorParams): Zod3Schema<Schema<Json>> => toZod3(smallJson(params))

/** Accept `File` objects, as forms have them. */
export const file = (params?: ErrorParams): Zod3Schema<FileSchema> => toZod3(smallFile(params))

export { nullValue as null, oneOf as enum, undefinedValue as undefined, voidValue as void }
