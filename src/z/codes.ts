/** The codes of issues, by their own names. */
export const ZodIssueCode = {
  invalid_type: 'invalid_type',
  invalid_literal: 'invalid_literal',
  custom: 'custom',
  invalid_union: 'invalid_union',
  invalid_union_discriminator: 'invalid_union_discriminator',
  invalid_enum_value: 'invalid_enum_value',
  unrecognized_keys: 'unrecognized_keys',
  invalid_arguments: 'invalid_arguments',
  invalid_return_type: 'invalid_return_type',
  invalid_date: 'invalid_date',
  invalid_string: 'invalid_string',
  too_small: 'too_small',
  too_big: 'too_big',
  invalid_intersection_types: 'invalid_intersection_types',
  not_multiple_of: 'not_multiple_of',
  not_finite: 'not_finite',
} as const

/** The code of an issue. */
export type ZodIssueCode = (typeof ZodIssueCode)[keyof typeof ZodIssueCode]

/** The names of types in issues, by themselves. */
export const ZodParsedType = {
  string: 'string',
  nan: 'nan',
  number: 'number',
  integer: 'integer',
  float: 'float',
  boolean: 'boolean',
  date: 'date',
  bigint: 'bigint',
  symbol: 'symbol',
  function: 'function',
  undefined: 'undefined',
  null: 'null',
  array: 'array',
  object: 'object',
  unknown: 'unknown',
  promise: 'promise',
  void: 'void',
  never: 'never',
  map: 'map',
  set: 'set',
} as const

/** The name of a type in an issue. */
export type ZodParsedType = (typeof ZodParsedType)[keyof typeof ZodParsedType]

/** The names of the kinds of schemas in zod 3, by themselves. */
export const ZodFirstPartyTypeKind = {
  ZodString: 'ZodString',
  ZodNumber: 'ZodNumber',
  ZodBigInt: 'ZodBigInt',
  ZodBoolean: 'ZodBoolean',
  ZodDate: 'ZodDate',
  ZodSymbol: 'ZodSymbol',
  ZodUndefined: 'ZodUndefined',
  ZodNull: 'ZodNull',
  ZodAny: 'ZodAny',
  ZodUnknown: 'ZodUnknown',
  ZodNever: 'ZodNever',
  ZodVoid: 'ZodVoid',
  ZodNaN: 'ZodNaN',
  ZodLiteral: 'ZodLiteral',
  ZodEnum: 'ZodEnum',
  ZodNativeEnum: 'ZodNativeEnum',
  ZodArray: 'ZodArray',
  ZodObject: 'ZodObject',
  ZodTuple: 'ZodTuple',
  ZodRecord: 'ZodRecord',
  ZodMap: 'ZodMap',
  ZodSet: 'ZodSet',
  ZodUnion: 'ZodUnion',
  ZodDiscriminatedUnion: 'ZodDiscriminatedUnion',
  ZodIntersection: 'ZodIntersection',
  ZodLazy: 'ZodLazy',
  ZodPromise: 'ZodPromise',
  ZodFunction: 'ZodFunction',
  ZodOptional: 'ZodOptional',
  ZodNullable: 'ZodNullable',
  ZodDefault: 'ZodDefault',
  ZodCatch: 'ZodCatch',
  ZodBranded: 'ZodBranded',
  ZodReadonly: 'ZodReadonly',
  ZodPipeline: 'ZodPipeline',
  ZodEffects: 'ZodEffects',
} as const

/** The name of a kind of schema. */
export type ZodFirstPartyTypeKind = (typeof ZodFirstPartyTypeKind)[keyof typeof ZodFirstPartyTypeKind]
