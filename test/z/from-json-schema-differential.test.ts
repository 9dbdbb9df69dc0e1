import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromJsonSchema } from '../../src/z/from-json-schema.ts'
import { type Target, toJsonSchema } from '../../src/z/to-json-schema.ts'
import { runs } from '../fuzz.ts'
import { madeFor, noise } from './json-schema-recipes.ts'

const VALUES = 10

test.each<Target>(['draft-2020-12', 'draft-7', 'openapi-3.0'])(
  'P29: fromJsonSchema(toJsonSchema(schema)) accepts what the schema accepts, over random schemas and values, on %s',
  (target) => {
    const pairs = madeFor(target).chain((made) =>
      fc.tuple(
        fc.constant(made.schema),
        fc.array(fc.oneof({ weight: 4, arbitrary: made.value }, noise), { minLength: VALUES, maxLength: VALUES }),
      ),
    )
    const different: string[] = []
    fc.assert(
      fc.property(pairs, ([schema, values]) => {
        const described = toJsonSchema(schema, { target, unrepresentable: 'any' })
        const again = fromJsonSchema(described, { patterns: true })
        for (const value of values) {
          const accepted = again.safeParse(value).success
          if (accepted === schema.safeParse(value).success || different.length > 4) continue
          different.push(JSON.stringify({ described, value, accepted }))
        }
      }),
      { numRuns: runs(4000) },
    )
    expect(different).toEqual([])
  },
  600_000,
)

/** Not `toString` and `constructor`: ajv compares values by these members. */
const keys = fc.constantFrom('a', 'b', 'ab', 'hasOwnProperty')
const sizes = fc.nat(3)
const numbers = fc.oneof(fc.integer({ min: -3, max: 6 }), fc.constantFrom(0.5, 2.5))

/** One to three of the parts, each with a random value. */
const someOf = (parts: { readonly [keyword: string]: fc.Arbitrary<unknown> }): fc.Arbitrary<object> =>
  fc
    .subarray(Object.keys(parts), { maxLength: 3 })
    .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, parts[name]!]))))
    .map((record) => ({ ...record }))

const TYPES = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object']
const PATTERNS = ['^a', 'b$', '^[a-z]{2}$', '^(?:a|b)+$']

/** JSON Schemas of draft 2020-12, or of draft 7. */
const schemasOf = (isDraft7: boolean): fc.Arbitrary<object | boolean> =>
  fc.letrec<{ any: object | boolean }>((tie) => {
    const into = tie('any')
    const list = fc.array(into, { minLength: 1, maxLength: 3 })
    const parts: { readonly [keyword: string]: fc.Arbitrary<unknown> } = {
      type: fc.oneof(
        fc.constantFrom(...TYPES),
        fc.uniqueArray(fc.constantFrom(...TYPES), { minLength: 1, maxLength: 3 }),
      ),
      enum: fc.uniqueArray(fc.constantFrom('a', 'b', 1, 2, true, null), { minLength: 1, maxLength: 4 }),
      const: fc.oneof(fc.constantFrom('a', 1, null, false), fc.constantFrom({ a: 1 }, [1], { a: [{ b: 1 }] })),
      minLength: sizes,
      maxLength: sizes,
      pattern: fc.constantFrom(...PATTERNS),
      minimum: numbers,
      maximum: numbers,
      exclusiveMinimum: numbers,
      exclusiveMaximum: numbers,
      multipleOf: fc.constantFrom(1, 2, 0.5),
      items: isDraft7 ? fc.oneof(into, list) : into,
      ...(isDraft7 ? { additionalItems: into } : { prefixItems: list, minContains: sizes, maxContains: sizes }),
      minItems: sizes,
      maxItems: sizes,
      uniqueItems: fc.boolean(),
      contains: into,
      properties: fc.dictionary(keys, into, { maxKeys: 3, noNullPrototype: true }),
      required: fc.uniqueArray(keys, { maxLength: 2 }),
      additionalProperties: into,
      patternProperties: fc.dictionary(fc.constantFrom(...PATTERNS), into, { maxKeys: 2, noNullPrototype: true }),
      propertyNames: into,
      minProperties: sizes,
      maxProperties: sizes,
      allOf: list,
      anyOf: list,
      oneOf: list,
      not: into,
      $ref: fc.constantFrom('#/$defs/node', '#/$defs/text'),
      title: fc.constant('A title'),
    }
    return {
      any: fc.oneof(
        { maxDepth: 3, depthSize: 'small' },
        fc.boolean(),
        fc.constantFrom(...TYPES).map((type) => ({ type })),
        someOf(parts),
        someOf(parts),
        someOf(parts),
      ),
    }
  }).any

/** Recursive for the items of a list and the key `a`. */
const DEFS = {
  node: {
    anyOf: [
      { type: 'object', properties: { a: { $ref: '#/$defs/node' } }, maxProperties: 2 },
      { type: 'array', items: { $ref: '#/$defs/node' } },
      { $ref: '#/$defs/text' },
    ],
  },
  text: { type: ['string', 'integer'], maxLength: 2 },
}

const values = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, true, false, 'a', 'b', 'ab', 'abc', '', '😀', '😀😀'),
    numbers,
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(keys, tie('any'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).any!

/** What ajv says; the code that it writes throws for some schemas with `additionalProperties: false` in a choice. */
const askAjv = (theirs: (value: unknown) => unknown, value: unknown, otherwise: boolean): unknown => {
  try {
    return theirs(value)
  } catch {
    return otherwise
  }
}

test.each([
  ['draft 2020-12', false],
  ['draft 7', true],
])(
  'P29: fromJsonSchema accepts what ajv accepts, over random documents and values of %s',
  (_, isDraft7) => {
    const pairs = fc.tuple(schemasOf(isDraft7), fc.array(values, { minLength: VALUES, maxLength: VALUES }))
    const different: string[] = []
    let accepting = 0
    fc.assert(
      fc.property(pairs, ([schema, given]) => {
        // ajv lets an empty list pass there; JSON Schema Core §10.3.1.3 does not
        fc.pre(!/(prefixItems|"items":\[).*contains|contains.*(prefixItems|"items":\[)/.test(JSON.stringify(schema)))
        const document = typeof schema === 'boolean' ? schema : { ...schema, $defs: DEFS }
        const options = { strict: false, ownProperties: true, validateFormats: false, allowUnionTypes: true }
        const theirs = new (isDraft7 ? Ajv : Ajv2020)(options).compile(document)
        const mine = fromJsonSchema(document)
        for (const value of given) {
          const accepted = mine.safeParse(value).success
          accepting += Number(accepted)
          if (accepted === askAjv(theirs, value, accepted) || different.length > 4) continue
          different.push(JSON.stringify({ schema, value, accepted }))
        }
      }),
      { numRuns: runs(2000) },
    )
    expect(different).toEqual([])
    // Both sides are met
    expect(accepting).toBeGreaterThan(runs(2000))
  },
  600_000,
)

test.each([false, true])(
  'P29: toJsonSchema(fromJsonSchema(document)) accepts what the document accepts, over random documents (draft 7: %s)',
  (isDraft7) => {
    const target = isDraft7 ? 'draft-7' : 'draft-2020-12'
    const different: string[] = []
    fc.assert(
      fc.property(schemasOf(isDraft7), fc.array(values, { minLength: VALUES, maxLength: VALUES }), (made, given) => {
        const document = typeof made === 'boolean' ? made : { ...made, $defs: DEFS }
        const schema = fromJsonSchema(document, { patterns: true })
        const described = toJsonSchema(schema, { target })
        const again = fromJsonSchema(described, { patterns: true })
        for (const value of given)
          if (again.safeParse(value).success !== schema.safeParse(value).success && different.length < 4)
            different.push(JSON.stringify({ document, described, value }))
      }),
      { numRuns: runs(1500) },
    )
    expect(different).toEqual([])
  },
  600_000,
)
