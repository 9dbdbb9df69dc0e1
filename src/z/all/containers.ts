import { type AnyCore, isSchema } from '../../internal/z/definition.ts'
import type { ErrorParams } from '../../internal/z/issue.ts'
import type { Schema } from '../../internal/z/schema.ts'
import { type ArraySchema, array as smallArray } from '../array.ts'
import { type DiscriminatedUnionSchema, discriminatedUnion as smallDiscriminatedUnion } from '../discriminated-union.ts'
import { type FunctionParts, type FunctionSchema, functionOf as smallFunction } from '../function.ts'
import { intersection as smallIntersection } from '../intersection.ts'
import { type LazySchema, lazy as smallLazy } from '../lazy.ts'
import { type MapSchema, map as smallMap } from '../map.ts'
import { type PromiseSchema, promise as smallPromise } from '../promise.ts'
import { type RecordSchema, partialRecord as smallPartialRecord, record as smallRecord } from '../record.ts'
import { type SetSchema, set as smallSet } from '../set.ts'
import { tuple as smallTuple, type TupleItems, type TupleSchema } from '../tuple.ts'
import { union as smallUnion, type UnionSchema } from '../union.ts'
import { string, type Zod3String } from './string.ts'
import type { Zod3Schema } from './zod3-methods.ts'
import { toZod3 } from './zod3-schema.ts'

/** Accept arrays whose items `item` accepts. */
export const array = <Item extends AnyCore>(item: Item, params?: ErrorParams): Zod3Schema<ArraySchema<Item>> =>
  toZod3(smallArray(item, params))

/** Accept a `Set` whose items fit. */
export const set = <Item extends AnyCore>(item: Item, params?: ErrorParams): Zod3Schema<SetSchema<Item>> =>
  toZod3(smallSet(item, params))

/** Accept a `Map` whose keys and values fit. */
export const map = <Key extends AnyCore, Value extends AnyCore>(
  key: Key,
  value: Value,
  params?: ErrorParams,
): Zod3Schema<MapSchema<Key, Value>> => toZod3(smallMap(key, value, params))

/** Accept arrays of a fixed length, each place with its own schema; `rest` is for further items, as in zod 4. */
export function tuple<Items extends [AnyCore, ...AnyCore[]] | [], Rest extends AnyCore>(
  items: Items,
  rest: Rest,
  params?: ErrorParams,
): Zod3Schema<TupleSchema<Items, Rest>>
export function tuple<Items extends [AnyCore, ...AnyCore[]] | []>(
  items: Items,
  params?: ErrorParams,
): Zod3Schema<TupleSchema<Items>>
export function tuple(
  items: [AnyCore, ...AnyCore[]] | [],
  rest?: AnyCore | ErrorParams,
  params?: ErrorParams,
): unknown {
  return isSchema(rest) ? toZod3(smallTuple(items, params).rest(rest)) : toZod3(smallTuple(items, rest))
}

/** Accept promises, and return a promise of the inner schema's output for their value. */
export const promise = <Inner extends AnyCore>(inner: Inner, params?: ErrorParams): Zod3Schema<PromiseSchema<Inner>> =>
  toZod3(smallPromise(inner, params))

/** Get the schema when it is needed, so that a schema can contain itself. */
export const lazy = <T extends AnyCore>(getter: () => T): Zod3Schema<LazySchema<T>> => toZod3(smallLazy(getter))

/** Accept values of one of the schemas; the first that fits makes the output. */
export const union = <Options extends readonly [AnyCore, AnyCore, ...AnyCore[]]>(
  options: Options,
  params?: ErrorParams,
): Zod3Schema<UnionSchema<Options>> => toZod3(smallUnion(options, params))

/** Accept one of several objects, told apart by the value of one key. */
export const discriminatedUnion = <Key extends string, const Options extends readonly [AnyCore, ...AnyCore[]]>(
  discriminator: Key,
  options: Options,
  params?: ErrorParams,
): Zod3Schema<DiscriminatedUnionSchema<Key, Options>> => toZod3(smallDiscriminatedUnion(discriminator, options, params))

/** Accept values of both schemas; their outputs are merged deeply. */
export const intersection = <Left extends AnyCore, Right extends AnyCore>(
  left: Left,
  right: Right,
): Zod3Schema<Schema<Left['_output'] & Right['_output'], Left['_input'] & Right['_input']>> =>
  toZod3(smallIntersection(left, right) as never)

/** Accept objects with any number of keys, and values of one schema: `record(value)`, or `record(key, value)`. */
export function record<Value extends AnyCore>(
  value: Value,
  params?: ErrorParams,
): Zod3Schema<RecordSchema<Zod3Schema<Zod3String>, Value>>
export function record<Key extends AnyCore, Value extends AnyCore>(
  key: Key,
  value: Value,
  params?: ErrorParams,
): Zod3Schema<RecordSchema<Key, Value>>
export function record(
  first: AnyCore,
  second?: AnyCore | ErrorParams,
  params?: ErrorParams,
): Zod3Schema<RecordSchema<AnyCore, AnyCore>> {
  return toZod3(isSchema(second) ? smallRecord(first, second, params) : smallRecord(string(), first, second))
}

/** Accept objects whose keys and values fit; known keys may be missing. */
export const partialRecord = <Key extends AnyCore, Value extends AnyCore>(
  key: Key,
  value: Value,
  params?: ErrorParams,
): Zod3Schema<RecordSchema<Key, Value>> => toZod3(smallPartialRecord(key, value, params))

/** Accept functions: `z.function()`. The returned function checks its arguments and its result. */
function functionOf<Args extends AnyCore = TupleSchema<[], Schema<unknown>>, Returns extends AnyCore = Schema<unknown>>(
  args?: Args,
  returns?: Returns,
  params?: ErrorParams,
): Zod3Schema<FunctionSchema<Args, Returns>>
function functionOf<Items extends [AnyCore, ...AnyCore[]] | [], Returns extends AnyCore = Schema<unknown>>(
  args: Items,
  returns?: Returns,
): Zod3Schema<FunctionSchema<TupleSchema<Extract<Items, TupleItems>, Schema<unknown>>, Returns>>
function functionOf<Items extends [AnyCore, ...AnyCore[]] | [], Returns extends AnyCore = Schema<unknown>>(
  parts: FunctionParts<Items, Returns>,
): Zod3Schema<FunctionSchema<TupleSchema<Extract<Items, TupleItems>>, Returns>>
function functionOf<Args extends AnyCore, Returns extends AnyCore = Schema<unknown>>(
  parts: FunctionParts<Args, Returns>,
): Zod3Schema<FunctionSchema<Args, Returns>>
function functionOf(
  args?: AnyCore | AnyCore[] | FunctionParts<AnyCore, AnyCore>,
  returns?: AnyCore,
  params?: ErrorParams,
): unknown {
  return toZod3(smallFunction(args, returns, params))
}

export { functionOf as function }
