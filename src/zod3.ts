/**
 * The whole of zod 3, for code that moves: `import * as z from 'sluice/zod3'`. Its classes extend those of `sluice/z`,
 * so rules, issues and messages are the same. The functions of `sluice/z` have the examples.
 *
 * @module
 */

export { ValidationError } from './errors/validation-error.ts'
export type { Result as SafeParseResult } from './internal/z/core.ts'
export type {
  ErrorMap,
  ErrorMap as ZodErrorMap,
  ErrorParams as Params,
  ErrorParams as RawCreateParams,
  Flattened,
  Flattened as typeToFlattenedError,
  Flattened as ZodFlattenedError,
  Formatted,
  Formatted as ZodFormattedError,
  Issue,
  Issue as ZodIssue,
  IssueData,
  IssueData as ZodIssueData,
  Message,
  ParseOptions,
  RefinementContext,
  RefinementContext as RefinementCtx,
} from './internal/z/issue.ts'
export { INVALID as NEVER } from './internal/z/report.ts'
// Types that declarations of the users' schemas name: without a public name they would be `any` in another project
export type {
  Default,
  Effect,
  Nullable,
  Optional,
  Schema as PlainSchema,
  Wrapper,
  WrapperSchema,
} from './internal/z/schema.ts'
export type { StandardResult, StandardSchema } from './internal/z/standard.ts'
export type {
  Brand,
  Brand as BRAND,
  Infer as infer,
  Infer as output,
  Infer as TypeOf,
  InputOf as input,
  Shape as ZodRawShape,
} from './internal/z/types.ts'
export { ZodError } from './internal/z/zod-error.ts'
export { bigint, date, type Zod3BigInt, type Zod3Date } from './z/all/bigint-date.ts'
export * as coerce from './z/all/coerce.ts'
export * from './z/all/containers.ts'
export * from './z/all/effects.ts'
// Two modules have a codec: this one has the methods of zod 3
export { codec } from './z/all/effects.ts'
export * from './z/all/format-schemas.ts'
export * as iso from './z/all/iso.ts'
export { number, type Zod3Number } from './z/all/number.ts'
export { looseObject, object, strictObject, type Zod3Object } from './z/all/object.ts'
export * from './z/all/primitives.ts'
export { string, type Zod3String } from './z/all/string.ts'
export * from './z/all/zod-container-names.ts'
export * from './z/all/zod-helpers.ts'
export * from './z/all/zod-primitive-names.ts'
export type * from './z/all/zod-types.ts'
export {
  type AnyZod3Schema as AnySchema,
  type AnyZod3Schema as ZodTypeAny,
  Schema,
  Schema as ZodSchema,
  Schema as ZodType,
  type Zod3Methods,
  type Zod3Result as ZodSafeParseResult,
  type Zod3Schema,
} from './z/all/zod3-methods.ts'
export { ArraySchema } from './z/array.ts'
export { BigIntSchema } from './z/bigint.ts'
export * from './z/codec.ts'
export { ZodFirstPartyTypeKind, ZodIssueCode, ZodParsedType } from './z/codes.ts'
export { DateSchema } from './z/date.ts'
export { DiscriminatedUnionSchema } from './z/discriminated-union.ts'
export { EnumSchema, NativeEnumSchema } from './z/enum.ts'
export { flattenError, formatError, prettifyError, treeifyError } from './z/error-forms.ts'
export { defaultErrorMap, getErrorMap, setErrorMap } from './z/error-map.ts'
export type { FileSchema } from './z/file.ts'
export { LazySchema } from './z/lazy.ts'
export { LiteralSchema } from './z/literal.ts'
export { MapSchema } from './z/map.ts'
export { NumberSchema } from './z/number.ts'
export { ObjectSchema } from './z/object.ts'
export { overwrite } from './z/overwrite.ts'
export { parseAsync, safeParseAsync, toAsync } from './z/parse-async.ts'
export { PromiseSchema } from './z/promise.ts'
export { RecordSchema } from './z/record.ts'
export { globalRegistry, registry } from './z/registry.ts'
export { SetSchema } from './z/set.ts'
export { StringSchema } from './z/string.ts'
export { toJsonSchema as toJSONSchema, useJsonSchema, withJsonSchema } from './z/to-json-schema.ts'
export { TupleSchema } from './z/tuple.ts'
export { UnionSchema } from './z/union.ts'
