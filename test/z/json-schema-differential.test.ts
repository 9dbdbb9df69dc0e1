import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Target, toJsonSchema } from '../../src/z/to-json-schema.ts'
import * as z from '../../src/zod3.ts'
import { runs } from '../fuzz.ts'
import { madeFor, noise } from './json-schema-recipes.ts'

/** Set `Z_JSON_PAIRS=100000` for the long run. */
const PAIRS = Number(process.env.Z_JSON_PAIRS ?? runs(10_000))
const VALUES = 10

/** OpenAPI 3.0 says exclusiveness as a flag, which ajv does not know. */
const modern = (schema: object): object =>
  JSON.parse(JSON.stringify(schema), (_, value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const { exclusiveMinimum: low, exclusiveMaximum: high } = value
    if (low === true) {
      value.exclusiveMinimum = value.minimum
      delete value.minimum
    }
    if (high === true) {
      value.exclusiveMaximum = value.maximum
      delete value.maximum
    }
    return value
  })

test.each<Target>(['draft-2020-12', 'draft-7', 'openapi-3.0'])(
  'P29: ajv accepts what z accepts, over random schemas and values, on %s',
  (target) => {
    const pairs = madeFor(target).chain((made) =>
      fc.tuple(
        fc.constant(made.schema),
        fc.array(fc.oneof({ weight: 4, arbitrary: made.value }, noise), { minLength: VALUES, maxLength: VALUES }),
      ),
    )
    let compared = 0
    const different: string[] = []
    fc.assert(
      fc.property(pairs, ([schema, values]) => {
        const described = toJsonSchema(schema, { target, unrepresentable: 'any' })
        const options = { strict: false, validateFormats: false, ownProperties: true }
        const validator = new (target === 'draft-2020-12' ? Ajv2020 : Ajv)(options)
        const accepts = validator.compile(target === 'openapi-3.0' ? modern(described) : described)
        for (const value of values) {
          const accepted = accepts(value)
          compared++
          if (accepted === schema.safeParse(value).success || different.length > 4) continue
          different.push(JSON.stringify({ described, value, accepted }))
        }
      }),
      { numRuns: Math.ceil(PAIRS / VALUES) },
    )
    expect(different).toEqual([])
    expect(compared).toBeGreaterThanOrEqual(PAIRS)
  },
  600_000,
)

test.each<[string, z.AnySchema, string]>([
  ['a property', z.object({ user: z.object({ born: z.date() }) }) as never, 'date() at "user.born"'],
  ['items', z.object({ list: z.array(z.bigint()) }) as never, 'bigint() at "list.[]"'],
  ['a place of a tuple', z.tuple([z.string(), z.symbol()]) as never, 'symbol() at "1"'],
])('P29: the error says which one cannot be said: %s', (_, schema, words) => {
  expect(() => toJsonSchema(schema)).toThrow(`JSON Schema cannot express ${words}`)
})

test('P29: lazy recursion of every kind ends, and a lazy optional field is not required', () => {
  const fresh = (): z.AnySchema => z.object({ next: z.lazy(fresh) }) as never
  const { $defs } = toJsonSchema(fresh())
  expect($defs).toMatchObject({ schema1: { type: 'object' } })
  const [one, two]: z.AnySchema[] = [z.lazy(() => two!), z.lazy(() => one!)] as never
  expect(toJsonSchema(one!)).toHaveProperty('$ref')
  expect(toJsonSchema(z.object({ a: z.lazy(() => z.string().optional()), b: z.string() }))).toMatchObject({
    required: ['b'],
  })
})

test('P29: formats of addresses and tokens', () => {
  const described = (schema: z.AnySchema): object => {
    const { $schema: _, ...rest } = toJsonSchema(schema)
    return rest
  }
  expect(described(z.string().ip({ version: 'v4' }) as never)).toEqual({ type: 'string', format: 'ipv4' })
  expect(described(z.string().ip() as never)).toEqual({
    type: 'string',
    allOf: [{ anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] }],
  })
  expect(described(z.string().cidr({ version: 'v6' }) as never)).toEqual({
    type: 'string',
    pattern: '^[\\da-fA-F:.]+/\\d{1,3}$',
  })
  expect(described(z.string().jwt() as never)).toEqual({
    type: 'string',
    pattern: '^[\\w-]+\\.[\\w-]+\\.[\\w-]*$',
  })
})
