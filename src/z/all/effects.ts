import type { AnyCore } from '../../internal/z/definition.ts'
import type { RefinementContext } from '../../internal/z/issue.ts'
import {
  type Effect,
  type Nullable,
  type Optional,
  type Schema,
  preprocess as smallPreprocess,
  wrap,
} from '../../internal/z/schema.ts'
import type { MessageFor } from '../../internal/z/types.ts'
import { makeEffect, makeTransform } from '../../internal/z/wrap-runs.ts'
import { codec as smallCodec } from '../codec.ts'
import { custom as smallCustom, instanceOf as smallInstanceOf } from '../custom.ts'
import { nullable as smallNullable, optional as smallOptional } from '../optional.ts'
import type { Zod3Methods, Zod3Schema } from './zod3-methods.ts'
import { toZod3 } from './zod3-schema.ts'

/** Change a value before a schema sees it. */
export const preprocess = <Inner extends AnyCore>(
  change: (value: unknown, context: RefinementContext) => unknown,
  schema: Inner,
): Effect<Inner, Inner['_output'], unknown> & Zod3Methods => toZod3(smallPreprocess(change, schema))

/** The argument of {@link effect}: a function, and when it runs. */
type EffectOf<T> =
  | { readonly type: 'refinement'; readonly refinement: (value: T, context: RefinementContext) => unknown }
  | { readonly type: 'transform' | 'preprocess'; readonly transform: (value: T, context: RefinementContext) => unknown }

/**
 * `superRefine`, `transform` or `preprocess` in the words of `ZodEffects.create` of zod 3.
 *
 * @example
 * effect(string(), { type: 'transform', transform: (text) => text.length }).parse('abc') // 3
 */
export const effect = <Inner extends AnyCore>(
  schema: Inner,
  description: EffectOf<Inner['_output']>,
): Zod3Schema<Effect<Inner>> => {
  if (description.type === 'refinement')
    return toZod3(wrap(schema, 'refine', makeEffect, { check: description.refinement }) as Effect<Inner>)
  const { type, transform: change } = description
  if (type === 'preprocess') return preprocess(change, schema)
  return toZod3(wrap(schema, 'transform', makeTransform, { change }) as Effect<Inner>)
}

/** Accept `undefined` too, like `schema.optional()`. */
export const optional = <T extends AnyCore>(schema: T): Zod3Schema<Optional<T>> => toZod3(smallOptional(schema))

/** Accept `null` too, like `schema.nullable()`. */
export const nullable = <T extends AnyCore>(schema: T): Zod3Schema<Nullable<T>> => toZod3(smallNullable(schema))

/** Accept values for which a function returns true, or all values. No later check runs on a refused value. */
// any: the type of zod 3 if none is given
export const custom = <T = any>(
  // any: the value is not known yet
  check?: (value: any) => unknown | Promise<unknown>,
  message?: MessageFor<any>,
): Zod3Schema<Effect<Schema<T>>> => toZod3(smallCustom<T>(check, message))

/** Accept instances of a class: `z.instanceof(Map)`. */
const instanceOf = <T>(
  type: abstract new (...args: never[]) => T,
  message?: MessageFor<unknown>,
): Zod3Schema<Effect<Schema<T>>> => toZod3(smallInstanceOf(type, message))

/** A schema with two functions: `parse` goes from `input` to `output`, `encode` goes back. */
export const codec = <In extends AnyCore, Out extends AnyCore>(
  input: In,
  output: Out,
  functions: Parameters<typeof smallCodec<In, Out>>[2],
): Zod3Schema<Schema<Out['_output'], In['_input']>> => toZod3(smallCodec(input, output, functions))

export { effect as transformer, instanceOf as instanceof }
