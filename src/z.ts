/**
 * The validation API: `import * as z from 'sluice/z'`. Each name is a module of its own, and a bundler ships those that are used.
 *
 * @module
 */

export { any } from './z/any.ts'
export { ArraySchema, array } from './z/array.ts'
export { BigIntSchema, bigint } from './z/bigint.ts'
export { boolean } from './z/boolean.ts'
export * as coerce from './z/coerce.ts'
export { custom, instanceOf as instanceof } from './z/custom.ts'
export { DateSchema, date } from './z/date.ts'
export { DiscriminatedUnionSchema, discriminatedUnion } from './z/discriminated-union.ts'
export { EnumSchema, oneOf as enum } from './z/enum.ts'
export { ValidationError, ZodError } from './z/error.ts'
export { intersection } from './z/intersection.ts'
export type {
  ErrorMap,
  Flattened,
  Formatted,
  Issue,
  IssueData,
  Message,
  Params,
  ParseOptions,
  RefinementContext,
} from './z/issue.ts'
export { LazySchema, lazy } from './z/lazy.ts'
export { LiteralSchema, literal } from './z/literal.ts'
export { MapSchema, map } from './z/map.ts'
export { nan } from './z/nan.ts'
export { NativeEnumSchema, nativeEnum } from './z/native-enum.ts'
export { never } from './z/never.ts'
export { nullValue as null } from './z/null.ts'
export { NumberSchema, number } from './z/number.ts'
export { ObjectSchema, object, strictObject } from './z/object.ts'
export { nullable, optional } from './z/optional.ts'
export { parseAsync, safeParseAsync, toAsync } from './z/parse-async.ts'
export { prettify } from './z/prettify.ts'
export { RecordSchema, record } from './z/record.ts'
export { INVALID as NEVER, setErrorMap } from './z/run.ts'
export type { AnySchema, AnySchema as ZodTypeAny } from './z/schema.ts'
export { preprocess, Schema } from './z/schema.ts'
export { SetSchema, set } from './z/set.ts'
export type { StandardResult, StandardSchema } from './z/standard.ts'
export { StringSchema, string } from './z/string.ts'
export { stringbool } from './z/stringbool.ts'
export { symbol } from './z/symbol.ts'
export { TupleSchema, tuple } from './z/tuple.ts'
export type {
  Brand,
  Infer as infer,
  Infer as output,
  Infer as TypeOf,
  InputOf as input,
  Result as SafeParseResult,
} from './z/types.ts'
export { undefinedValue as undefined } from './z/undefined.ts'
export { UnionSchema, union } from './z/union.ts'
export { unknown } from './z/unknown.ts'
export { voidValue as void } from './z/void.ts'
