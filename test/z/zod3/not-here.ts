/** Names that zod 3 exports and `sluice/z` does not, by the reason. docs/z.md says what to use instead. */
export const NOT_HERE: { readonly [reason: string]: string } = {
  'the namespace itself: `import { z } from "sluice"`, or `import * as z from "sluice/z"`': 'z default',
  'the inside of the parser: schemas here are closures':
    'ParseStatus INVALID DIRTY OK EMPTY_PATH ParseContext ParseInput ParseResult ParseReturnType SyncParseReturnType AsyncParseReturnType addIssueToContext makeIssue isAborted isDirty isValid isAsync ObjectPair',
  'the types of definitions and checks, which are other objects here':
    'ZodStringDef ZodNumberDef ZodBigIntDef ZodBooleanDef ZodDateDef ZodSymbolDef ZodUndefinedDef ZodNullDef ZodAnyDef ZodUnknownDef ZodNeverDef ZodVoidDef ZodArrayDef ZodObjectDef ZodUnionDef ZodDiscriminatedUnionDef ZodIntersectionDef ZodTupleDef ZodRecordDef ZodMapDef ZodSetDef ZodFunctionDef ZodLazyDef ZodLiteralDef ZodEnumDef ZodNativeEnumDef ZodPromiseDef ZodEffectsDef ZodOptionalDef ZodNullableDef ZodDefaultDef ZodCatchDef ZodNaNDef ZodBrandedDef ZodPipelineDef ZodReadonlyDef ZodStringCheck ZodNumberCheck ZodBigIntCheck ZodDateCheck RefinementEffect TransformEffect PreprocessEffect ZodFirstPartySchemaTypes',
  'types and functions that only zod itself uses':
    'util objectUtil Scalars mergeTypes baseObjectOutputType baseObjectInputType CatchallOutput CatchallInput PassthroughType deoptional noUnrecognized AssertArray ArrayKeys Indices Values FilterEnum typecast',
  'another spelling of what is here: `string().datetime(options)`': 'datetimeRegex',
}
