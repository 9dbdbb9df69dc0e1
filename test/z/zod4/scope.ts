/** Names of zod 4 that issue 11 does not list: methods, and the inside of zod. */
export const NAMES =
  /\b_zod\b|\bcore\.|\bhttpUrl\b|unionFallback|(?<!\bz)\.(?:apply|clone|exactOptional|exactPartial|implementAsync|ksuid|lowercase|mac|nonoptional|normalize|prefault|safeExtend|slugify|toJSONSchema|uppercase|with|xid)\(|\btuple\(.*\)\.partial\(|literal\(\[|error:|when[:(]|abort: true|function\(\{|\.literal\(\)/

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
