/**
 * Functions and types of zod 4 that say otherwise what methods say. A bundle has those that it names.
 *
 * @module
 */
import type { AnyCore } from '../../internal/z/definition.ts'
import type { Flattened, RefinementContext } from '../../internal/z/issue.ts'
import type { Effect, Nullable, Optional, Schema } from '../../internal/z/schema.ts'
import type { EnumSchema } from '../enum.ts'
import { type KeyOf, type Shaped, keyof as smallKeyof } from '../keyof.ts'
import { nullable, optional } from './effects.ts'
import { unknown } from './primitives.ts'
import type { Whole, WholeResult } from './zod3-methods.ts'
import { whole } from './zod3-schema.ts'

export { pipeline as pipe } from './zod-helpers.ts'

/** What `safeParse` returns. The error tells keys of the input: say its type where that is not the output. */
export type ZodSafeParseResult<Out, In = Out> = WholeResult<Out, In>

/** What `safeParse` returns for a value that fits. */
export type ZodSafeParseSuccess<Out> = Extract<WholeResult<Out>, { success: true }>

/** What `safeParse` returns for a value that does not fit. */
export type ZodSafeParseError<In> = Extract<WholeResult<unknown, In>, { success: false }>

/** What `flatten()` returns. */
export type ZodFlattenedError<T, Text = string> = Flattened<T, Text>

/**
 * `schema.nullish()`.
 *
 * @example
 * nullish(string()).parse(null) // null
 */
export const nullish = <T extends AnyCore>(schema: T): Whole<Optional<Whole<Nullable<T>>>> => optional(nullable(schema))

/**
 * `schema.keyof()`.
 *
 * @example
 * keyof(object({ name: string() })).options // ['name']
 */
export const keyof = <T extends Shaped>(schema: T): Whole<EnumSchema<KeyOf<T>[]>> => whole(smallKeyof(schema))

/**
 * `unknown().transform(change)`, with the type that the function takes as the input.
 *
 * @example
 * transform((value: unknown) => String(value)).pipe(string().max(2)).parse(5) // '5'
 */
export const transform = <In, Out>(
  change: (value: In, context: RefinementContext) => Out | Promise<Out>,
): Whole<Effect<Schema<In>, Out>> => unknown().transform(change as never) as never
