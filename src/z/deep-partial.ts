import { derive } from '../internal/z/core.ts'
import type { AnyCore, Definition } from '../internal/z/definition.ts'
import type { ObjectParts } from '../internal/z/object-types.ts'
import { type Nullable, type Optional, type Wrapper, wrap } from '../internal/z/schema.ts'
import type { Shape } from '../internal/z/types.ts'
import { makeOptional } from '../internal/z/wrap-runs.ts'
import type { WholeObject } from './all/object.ts'
import type { ArraySchema } from './array.ts'
import type { ObjectSchema } from './object.ts'
import type { TupleItems, TupleSchema } from './tuple.ts'

/** Every key of every object in it may be missing. */
export type DeepPartial<T extends AnyCore> =
  T extends ObjectParts<infer S, infer U, infer C>
    ? T extends { readonly '~object': 'whole' }
      ? WholeObject<{ [Key in keyof S]: Optional<DeepPartial<S[Key]>> }, U, C>
      : ObjectSchema<{ [Key in keyof S]: Optional<DeepPartial<S[Key]>> }, U, C>
    : T extends ArraySchema<infer Item, infer Card>
      ? ArraySchema<DeepPartial<Item>, Card> & T['~more']
      : T extends Wrapper<infer Inner, 'optional', infer _Out, infer _In>
        ? Optional<DeepPartial<Inner>>
        : T extends Wrapper<infer Inner, 'nullable', infer _Out, infer _In>
          ? Nullable<DeepPartial<Inner>>
          : T extends TupleSchema<infer Items, infer _Rest>
            ? { [Index in keyof Items]: DeepPartial<Items[Index]> } extends infer Deep extends TupleItems
              ? TupleSchema<Deep> & T['~more']
              : never
            : T

interface Parts extends Definition {
  readonly shape?: Shape
  readonly items?: readonly AnyCore[]
  readonly inner?: AnyCore
}

/**
 * The same schema with every key allowed to be missing, in objects inside of objects, arrays and tuples too.
 *
 * @example
 * deepPartial(object({ a: object({ b: string() }) })).parse({ a: {} }) // { a: {} }
 */
export const deepPartial = <T extends AnyCore>(schema: T): DeepPartial<T> => deepen(schema) as never

/** Told apart by their kind, so that no other schema is loaded for it. */
const deepen = (schema: AnyCore): AnyCore => {
  const { type, shape, items, inner } = schema.def as Parts
  if (shape) {
    const fields = Object.entries(shape).map(([key, field]) => [key, wrap(deepen(field), 'optional', makeOptional)])
    return derive(schema, { ...schema.def, shape: Object.fromEntries(fields) })
  }
  if (items) return derive(schema, { ...schema.def, items: items.map(deepen), rest: undefined })
  return inner && /^(optional|nullable|array)$/.test(type)
    ? derive(schema, { ...schema.def, inner: deepen(inner) })
    : schema
}
