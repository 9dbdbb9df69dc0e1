import type { Issue } from '../errors/validation-error.ts'

type Words<Text extends string> = Text extends `${infer Word} ${infer Rest}` ? Word | Words<Rest> : Text

type ByName<Texts extends readonly string[]> = { readonly [Word in Words<Texts[number]>]: Word }

/** Each word of some texts under its own name. */
const byName = <Texts extends readonly string[]>(texts: Texts): ByName<Texts> =>
  Object.assign({}, ...texts.flatMap((text) => text.split(' ')).map((word) => ({ [word]: word })))

const CODES = [
  'invalid_type invalid_literal custom invalid_union invalid_union_discriminator invalid_enum_value unrecognized_keys',
  'invalid_arguments invalid_return_type invalid_date invalid_string too_small too_big invalid_intersection_types',
  'not_multiple_of not_finite',
] as const

/** The codes of issues, by their own names. */
export const ZodIssueCode: ByName<typeof CODES> = /* @__PURE__ */ byName(CODES)

/** The code of an issue. */
export type ZodIssueCode = Issue['code']

const TYPES = [
  'string nan number integer float boolean date bigint symbol function undefined null array object unknown promise',
  'void never map set',
] as const

/** The names of types in issues, by themselves. */
export const ZodParsedType: ByName<typeof TYPES> = /* @__PURE__ */ byName(TYPES)

/** The name of a type in an issue. */
export type ZodParsedType = keyof typeof ZodParsedType

const KINDS = [
  'ZodString ZodNumber ZodBigInt ZodBoolean ZodDate ZodSymbol ZodUndefined ZodNull ZodAny ZodUnknown ZodNever ZodVoid',
  'ZodNaN ZodLiteral ZodEnum ZodNativeEnum ZodArray ZodObject ZodTuple ZodRecord ZodMap ZodSet ZodUnion',
  'ZodDiscriminatedUnion ZodIntersection ZodLazy ZodPromise ZodFunction ZodOptional ZodNullable ZodDefault ZodCatch',
  'ZodBranded ZodReadonly ZodPipeline ZodEffects',
] as const

/** The names of the kinds of schemas in zod 3, by themselves. */
export const ZodFirstPartyTypeKind: ByName<typeof KINDS> = /* @__PURE__ */ byName(KINDS)

/** The name of a kind of schema. */
export type ZodFirstPartyTypeKind = keyof typeof ZodFirstPartyTypeKind
