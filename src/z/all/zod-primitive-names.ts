/**
 * The names of zod 3 for schemas that contain no other schema: `ZodString` is the type of what `z.string()` returns,
 * and a class for `instanceof`.
 *
 * @module
 */
import type { Schema } from '../../internal/z/schema.ts'
import type { EnumLike, EnumSchema, NativeEnumSchema } from '../enum.ts'
import type { LiteralSchema, Primitive } from '../literal.ts'
import { bigint, date, type Zod3BigInt, type Zod3Date } from './bigint-date.ts'
import { number, type Zod3Number } from './number.ts'
import * as z from './primitives.ts'
import { string, type Zod3String } from './string.ts'
import { createZodClass, type ZodClass } from './zod-class.ts'
import type { Zod3Schema } from './zod3-methods.ts'

/** A schema of `z.string()`, by its name in zod 3. */
export type ZodString = Zod3Schema<Zod3String>
export const ZodString: ZodClass<typeof string> = /* @__PURE__ */ createZodClass('ZodString', string)

/** A schema of `z.number()`, by its name in zod 3. */
export type ZodNumber = Zod3Schema<Zod3Number>
export const ZodNumber: ZodClass<typeof number> = /* @__PURE__ */ createZodClass('ZodNumber', number)

/** A schema of `z.bigint()`, by its name in zod 3. */
export type ZodBigInt = Zod3Schema<Zod3BigInt>
export const ZodBigInt: ZodClass<typeof bigint> = /* @__PURE__ */ createZodClass('ZodBigInt', bigint)

/** A schema of `z.boolean()`, by its name in zod 3. */
export type ZodBoolean = Zod3Schema<Schema<boolean>>
export const ZodBoolean: ZodClass<typeof z.boolean> = /* @__PURE__ */ createZodClass('ZodBoolean', z.boolean)

/** A schema of `z.date()`, by its name in zod 3. */
export type ZodDate = Zod3Schema<Zod3Date>
export const ZodDate: ZodClass<typeof date> = /* @__PURE__ */ createZodClass('ZodDate', date)

/** A schema of `z.symbol()`, by its name in zod 3. */
export type ZodSymbol = Zod3Schema<Schema<symbol>>
export const ZodSymbol: ZodClass<typeof z.symbol> = /* @__PURE__ */ createZodClass('ZodSymbol', z.symbol)

/** A schema of `z.undefined()`, by its name in zod 3. */
export type ZodUndefined = Zod3Schema<Schema<undefined>>
export const ZodUndefined: ZodClass<typeof z.undefined> = /* @__PURE__ */ createZodClass('ZodUndefined', z.undefined)

/** A schema of `z.null()`, by its name in zod 3. */
export type ZodNull = Zod3Schema<Schema<null>>
export const ZodNull: ZodClass<typeof z.null> = /* @__PURE__ */ createZodClass('ZodNull', z.null)

// any: the user asks for it
/** A schema of `z.any()`, by its name in zod 3. */
export type ZodAny = Zod3Schema<Schema<any>>
export const ZodAny: ZodClass<typeof z.any> = /* @__PURE__ */ createZodClass('ZodAny', z.any)

/** A schema of `z.unknown()`, by its name in zod 3. */
export type ZodUnknown = Zod3Schema<Schema<unknown>>
export const ZodUnknown: ZodClass<typeof z.unknown> = /* @__PURE__ */ createZodClass('ZodUnknown', z.unknown)

/** A schema of `z.never()`, by its name in zod 3. */
export type ZodNever = Zod3Schema<Schema<never>>
export const ZodNever: ZodClass<typeof z.never> = /* @__PURE__ */ createZodClass('ZodNever', z.never)

/** A schema of `z.void()`, by its name in zod 3. */
export type ZodVoid = Zod3Schema<Schema<void>>
export const ZodVoid: ZodClass<typeof z.void> = /* @__PURE__ */ createZodClass('ZodVoid', z.void)

/** A schema of `z.nan()`, by its name in zod 3. */
export type ZodNaN = Zod3Schema<Schema<number>>
export const ZodNaN: ZodClass<typeof z.nan> = /* @__PURE__ */ createZodClass('ZodNaN', z.nan)

/** A schema of `z.literal()`, by its name in zod 3. */
export type ZodLiteral<T extends Primitive> = Zod3Schema<LiteralSchema<T>>
export const ZodLiteral: ZodClass<typeof z.literal> = /* @__PURE__ */ createZodClass('ZodLiteral', z.literal)

/** A schema of `z.enum()`, by its name in zod 3. */
export type ZodEnum<T extends readonly string[] = [string, ...string[]]> = Zod3Schema<EnumSchema<T>>
export const ZodEnum: ZodClass<typeof z.enum> = /* @__PURE__ */ createZodClass('ZodEnum', z.enum)

/** A schema of `z.nativeEnum()`, by its name in zod 3. */
export type ZodNativeEnum<T extends EnumLike> = Zod3Schema<NativeEnumSchema<T>>
export const ZodNativeEnum: ZodClass<typeof z.nativeEnum> = /* @__PURE__ */ createZodClass(
  'ZodNativeEnum',
  z.nativeEnum,
)
