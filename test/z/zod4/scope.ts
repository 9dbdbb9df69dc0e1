/** Methods and words of zod 4 that are not here, by the reason. A case that has one is skipped. */
export const WORDS: { readonly [reason: string]: RegExp } = {
  'the inside of zod': /\b_zod\b|\bcore\.|\bz\.util\.|(?<!\bz)\.(?:apply|clone|with)\(/,
  'optional properties of two kinds, and defaults that are not parsed: `default` of zod 3 parses its value':
    /(?<!\bz)\.(?:exactOptional|exactPartial|nonoptional|prefault)\(|\btuple\(.*\)\.partial\(/,
  'methods that would be in every bundle of `sluice/z`; `extend`, `z.toJSONSchema`, `overwrite` and `regex` say the same':
    /(?<!\bz)\.(?:implementAsync|ksuid|lowercase|mac|normalize|safeExtend|slugify|toJSONSchema|uppercase|xid)\(/,
  'a discriminated union that falls back to a union': /unionFallback/,
}

/** Functions and classes of zod 4 that are not here, by the reason. A case that names one is skipped. */
export const MISSING: { readonly [reason: string]: string } = {
  'the inside of zod, and its global settings: an error map is set by `setErrorMap`, and a locale is one':
    '$brand BRAND ZodRealError config core describe getDiscriminatedOption locales meta regexes toDotPath toZod util with',
  'classes of zod 4: a schema is known by `instanceof z.ZodType` and the names of zod 3':
    'ZodCodec ZodExactOptional ZodNonOptional ZodPipe ZodPreprocess ZodTransform',
  'another form of a method that is here: `readonly()`, `catch()`, `default()`, `refine()`, `min()` and so on':
    '_default catch check default gte lte maxLength minLength readonly refine superRefine trim',
  'schemas that issue 11 does not list, and what says the same: `currencyCode` and `mac` are a `regex`, `xor` is a `refine` of a union, `success` is `safeParse().success`, `validate` is `safeParse`':
    'TimePrecision currencyCode exactOptional hash invertCodec looseRecord mac namedRegistry properties property slugify stringFormat success validate xor',
  'no code is made at run time: schemas are compiled ahead of time (`sluice/z/plugin`)': 'compile',
  'types, which are gone before this is asked': 'infer output',
}

/** Files of zod's tests that are about something else altogether, and about what. */
export const FILES: { readonly [reason: string]: string } = {
  'functions and formats of zod 4 that issue 11 does not list':
    'apply credit-card deep-partial hash iban in-out nonoptional optin-ladder prefault properties to-json-schema-methods validate',
  'the inside of zod: its classes, its cache, its global settings, its patterns':
    'default-locale global-config instance-footprint issue-schema jitless-allows-eval redos',
  'messages and error maps of zod 4': 'error locales_ka locales_ro continuability',
  'values that hold themselves are parsed; here they are refused': 'cyclic-data',
  'the tests import zod itself': 'from-json-schema',
  '`toJSONSchema` writes the same rules in other words and without registries; ajv reads them in json-schema-differential.test.ts':
    'to-json-schema',
  'schemas of formats or of sizes of maps that issue 11 does not list are made outside of the cases':
    'map template-literal',
}
