/**
 * The validation API: `import * as z from 'sluice/z'`. A bundle contains the names that are used. `sluice/zod3` has the
 * whole of zod 3, `sluice/z/mini` makes the smallest bundles.
 *
 * @module
 */

export { ValidationError } from './errors/validation-error.ts'
export type { Result as SafeParseResult } from './internal/z/core.ts'
export type {
  ErrorMap,
  Flattened,
  Formatted,
  Issue,
  Issue as ZodIssue,
  IssueData,
  Locale,
  Message,
  Params,
  RefinementContext,
  RefinementContext as RefinementCtx,
} from './internal/z/issue.ts'
export { INVALID as NEVER } from './internal/z/report.ts'
export {
  type AnySchema,
  type AnySchema as ZodTypeAny,
  type Default,
  type Effect,
  type Nullable,
  type Optional,
  preprocess,
  Schema,
  Schema as ZodSchema,
  Schema as ZodType,
  type Wrapper,
  type WrapperSchema,
} from './internal/z/schema.ts'
export type { StandardResult, StandardSchema } from './internal/z/standard.ts'
export type {
  Brand,
  Infer as infer,
  Infer as output,
  Infer as TypeOf,
  InputOf as input,
  Shape as ZodRawShape,
} from './internal/z/types.ts'
export { ZodError } from './internal/z/zod-error.ts'
export { type ArraySchema, array } from './z/array.ts'
export { type BigIntSchema, bigint } from './z/bigint.ts'
export * from './z/codec.ts'
export * as coerce from './z/coerce.ts'
export { custom, instanceOf as instanceof } from './z/custom.ts'
export { type DateSchema, date } from './z/date.ts'
export { deepPartial } from './z/deep-partial.ts'
export { type DiscriminatedUnionSchema, discriminatedUnion } from './z/discriminated-union.ts'
export { type EnumSchema, type NativeEnumSchema, nativeEnum, oneOf as enum } from './z/enum.ts'
export { flattenError, formatError, prettifyError, treeifyError } from './z/error-forms.ts'
export { getErrorMap, setErrorMap } from './z/error-map.ts'
export { type FileSchema, file } from './z/file.ts'
export * as formats from './z/formats.ts'
export { intersection } from './z/intersection.ts'
export * as iso from './z/iso.ts'
export { json } from './z/json.ts'
export { type LazySchema, lazy } from './z/lazy.ts'
export { type LiteralSchema, literal } from './z/literal.ts'
export { type MapSchema, map } from './z/map.ts'
export { float32, float64, int, int32, int64, type NumberSchema, number, uint32, uint64 } from './z/number.ts'
export { type ObjectSchema, object } from './z/object.ts'
export { catchall, keyof, looseObject, strictObject } from './z/object-functions.ts'
export { nullable, optional } from './z/optional.ts'
export { overwrite } from './z/overwrite.ts'
export { parseAsync, safeParseAsync, toAsync } from './z/parse-async.ts'
export * from './z/primitives.ts'
export { partialRecord, type RecordSchema, record } from './z/record.ts'
export { globalRegistry, meta, registry } from './z/registry.ts'
export { type SetSchema, set } from './z/set.ts'
export { type StringSchema, string } from './z/string.ts'
export * from './z/string-formats.ts'
export { stringbool } from './z/stringbool.ts'
export { templateLiteral } from './z/template-literal.ts'
export { toJsonSchema as toJSONSchema, withJsonSchema } from './z/to-json-schema.ts'
export { type TupleSchema, tuple } from './z/tuple.ts'
export { type UnionSchema, union } from './z/union.ts'
