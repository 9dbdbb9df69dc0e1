import type { AnyCore } from '../../internal/z/definition.ts'
import type { ErrorParams } from '../../internal/z/issue.ts'
import { type FunctionParts, type FunctionSchema, functionOf as smallFunction } from '../function.ts'
import type { unknown } from '../primitives.ts'
import type { TupleItems, TupleSchema } from '../tuple.ts'
import type { Zod3Schema } from './zod3-methods.ts'
import { toZod3 } from './zod3-schema.ts'

type Unknown = ReturnType<typeof unknown>

/** Accept functions: `z.function()`. The returned function checks its arguments and its result. */
export function functionOf(): Zod3Schema<FunctionSchema<TupleSchema<[], Unknown>, Unknown>>
export function functionOf<Items extends [AnyCore, ...AnyCore[]] | []>(
  args: Items,
): Zod3Schema<FunctionSchema<TupleSchema<Extract<Items, TupleItems>, Unknown>, Unknown>>
export function functionOf<Items extends [AnyCore, ...AnyCore[]] | [], Returns extends AnyCore>(
  args: Items,
  returns: Returns,
): Zod3Schema<FunctionSchema<TupleSchema<Extract<Items, TupleItems>, Unknown>, Returns>>
export function functionOf<Args extends AnyCore, Returns extends AnyCore = Unknown>(
  args: Args,
  returns?: Returns,
  params?: ErrorParams,
): Zod3Schema<FunctionSchema<Args, Returns>>
export function functionOf<Items extends [AnyCore, ...AnyCore[]] | [], Returns extends AnyCore = Unknown>(
  parts: FunctionParts<Items, Returns>,
): Zod3Schema<FunctionSchema<TupleSchema<Extract<Items, TupleItems>>, Returns>>
export function functionOf<Args extends AnyCore, Returns extends AnyCore = Unknown>(
  parts: FunctionParts<Args, Returns>,
): Zod3Schema<FunctionSchema<Args, Returns>>
export function functionOf(
  args?: AnyCore | AnyCore[] | FunctionParts<AnyCore, AnyCore>,
  returns?: AnyCore,
  params?: ErrorParams,
): unknown {
  return toZod3(smallFunction(args, returns, params))
}
