/**
 * The names that zod 3 has for schemas which hold no other schema.
 *
 * @module
 */
import type { Schema } from '../../internal/z/schema.ts'
import type { EnumSchema } from '../enum.ts'
import type { LiteralSchema, Primitive } from '../literal.ts'
import type { EnumLike, NativeEnumSchema } from '../native-enum.ts'
import { bigint, date, type WholeBigInt, type WholeDate } from './bounds.ts'
import {
  any,
  boolean,
  literal,
  nan,
  nativeEnum,
  never,
  nullValue,
  oneOf,
  symbol,
  undefinedValue,
  unknown,
  voidValue,
} from './leaves.ts'
import type { Whole } from './more.ts'
import { number, type WholeNumber } from './number.ts'
import { string, type WholeString } from './string.ts'
import { named, type ZodClass } from './zod-class.ts'

export type ZodString = Whole<WholeString>
export const ZodString: ZodClass<typeof string> = /* @__PURE__ */ named('ZodString', string)

export type ZodNumber = Whole<WholeNumber>
export const ZodNumber: ZodClass<typeof number> = /* @__PURE__ */ named('ZodNumber', number)

export type ZodBigInt = Whole<WholeBigInt>
export const ZodBigInt: ZodClass<typeof bigint> = /* @__PURE__ */ named('ZodBigInt', bigint)

export type ZodBoolean = Whole<Schema<boolean>>
export const ZodBoolean: ZodClass<typeof boolean> = /* @__PURE__ */ named('ZodBoolean', boolean)

export type ZodDate = Whole<WholeDate>
export const ZodDate: ZodClass<typeof date> = /* @__PURE__ */ named('ZodDate', date)

export type ZodSymbol = Whole<Schema<symbol>>
export const ZodSymbol: ZodClass<typeof symbol> = /* @__PURE__ */ named('ZodSymbol', symbol)

export type ZodUndefined = Whole<Schema<undefined>>
export const ZodUndefined: ZodClass<typeof undefinedValue> = /* @__PURE__ */ named('ZodUndefined', undefinedValue)

export type ZodNull = Whole<Schema<null>>
export const ZodNull: ZodClass<typeof nullValue> = /* @__PURE__ */ named('ZodNull', nullValue)

// any: it is what the user asks for.
export type ZodAny = Whole<Schema<any>>
export const ZodAny: ZodClass<typeof any> = /* @__PURE__ */ named('ZodAny', any)

export type ZodUnknown = Whole<Schema<unknown>>
export const ZodUnknown: ZodClass<typeof unknown> = /* @__PURE__ */ named('ZodUnknown', unknown)

export type ZodNever = Whole<Schema<never>>
export const ZodNever: ZodClass<typeof never> = /* @__PURE__ */ named('ZodNever', never)

export type ZodVoid = Whole<Schema<void>>
export const ZodVoid: ZodClass<typeof voidValue> = /* @__PURE__ */ named('ZodVoid', voidValue)

export type ZodNaN = Whole<Schema<number>>
export const ZodNaN: ZodClass<typeof nan> = /* @__PURE__ */ named('ZodNaN', nan)

export type ZodLiteral<T extends Primitive> = Whole<LiteralSchema<T>>
export const ZodLiteral: ZodClass<typeof literal> = /* @__PURE__ */ named('ZodLiteral', literal)

export type ZodEnum<T extends readonly string[] = [string, ...string[]]> = Whole<EnumSchema<T>>
export const ZodEnum: ZodClass<typeof oneOf> = /* @__PURE__ */ named('ZodEnum', oneOf)

export type ZodNativeEnum<T extends EnumLike> = Whole<NativeEnumSchema<T>>
export const ZodNativeEnum: ZodClass<typeof nativeEnum> = /* @__PURE__ */ named('ZodNativeEnum', nativeEnum)
