/**
 * Functions and types of zod 4 for which zod 3 has methods. A bundle has those that it imports.
 *
 * @module
 */
import type { AnyCore } from '../../internal/z/definition.ts'
import type { Flattened, RefinementContext } from '../../internal/z/issue.ts'
import type { Effect, Nullable, Optional, Schema } from '../../internal/z/schema.ts'
import type { EnumSchema } from '../enum.ts'
import { type KeyOf, type ObjectWithShape, keyof as smallKeyof } from '../keyof.ts'
import { nullable, optional } from './effects.ts'
import { unknown } from './primitives.ts'
import type { Zod3Result, Zod3Schema } from './zod3-methods.ts'
import { toZod3 } from './zod3-schema.ts'

export { pipeline as pipe } from './zod-helpers.ts'

/** The result of `safeParse`. The error has the keys of the input: name its type where it differs from the output. */
export type ZodSafeParseResult<Out, In = Out> = Zod3Result<Out, In>

/** The result of `safeParse` for a value that fits. */
export type ZodSafeParseSuccess<Out> = Extract<Zod3Result<Out>, { success: true }>

/** The result of `safeParse` for a value that does not fit. */
export type ZodSafeParseError<In> = Extract<Zod3Result<unknown, In>, { success: false }>

/** The result of `flatten()`. */
export type ZodFlattenedError<T, Text = string> = Flattened<T, Text>

/** `schema.nullish()`. */
export const nullish = <T extends AnyCore>(schema: T): Zod3Schema<Optional<Zod3Schema<Nullable<T>>>> =>
  optional(nullable(schema))

/** `schema.keyof()`. */
export const keyof = <T extends ObjectWithShape>(schema: T): Zod3Schema<EnumSchema<KeyOf<T>[]>> =>
  toZod3(smallKeyof(schema))

/** `unknown().transform(change)`, with the type that the function takes as the input. */
export const transform = <In, Out>(
  change: (value: In, context: RefinementContext) => Out | Promise<Out>,
): Zod3Schema<Effect<Schema<In>, Out>> => unknown().transform(change as never) as never
