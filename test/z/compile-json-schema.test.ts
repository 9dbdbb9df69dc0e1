import { describe, expect, test } from 'vitest'
import { fromJsonSchema } from '../../src/z/from-json-schema.ts'
import * as z from '../../src/z.ts'
import { outcome } from './compare.ts'
import { compileHere } from './compile-here.ts'

const VALUES = [{}, { a: 'x' }, { a: 1 }, { aaa: 1 }, { b: 2 }, [1, 'a'], ['a', 1], ['a'], [], 'x', 1, null, undefined]

describe('FX4: rules of JSON Schema that a kind of z does not have stay in the code', () => {
  test.each<[object]>([
    [{ type: 'object', required: ['a'] }],
    [{ type: 'object', required: ['a'], properties: { a: {} } }],
    [{ type: 'object', patternProperties: { '^a': { type: 'number' } } }],
    [{ type: 'object', patternProperties: { '^a': { type: 'number' } }, additionalProperties: { type: 'string' } }],
    [{ type: 'object', propertyNames: { maxLength: 1 } }],
    [{ type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] }],
    [{ oneOf: [{ type: 'string' }, { type: 'number' }] }],
    [{ oneOf: [{ type: 'object' }, { required: ['b'] }] }],
  ])('%j', (document) => {
    for (const within of [(schema: never) => schema, (schema: never) => z.object({ in: schema }) as never]) {
      const make = () => within(fromJsonSchema(document) as never)
      const { schema } = compileHere(make())
      for (const value of VALUES.flatMap((one) => [one, { in: one }]))
        expect(outcome(schema, value)).toStrictEqual(outcome(make(), value))
    }
  })

  test('a key of two blanks and braces keeps its name', () => {
    const schema = z.object({ '{  }': z.string() })
    expect(compileHere(schema).schema.parse({ '{  }': 'x' })).toEqual({ '{  }': 'x' })
  })
})

test.each<[object, unknown, boolean]>([
  [{ const: 1, enum: [2] }, 1, false],
  [{ const: { a: 1 }, enum: [{ a: 1 }] }, { a: 1 }, true],
  [{ type: 'array', prefixItems: [{}, {}], items: false, minItems: 2, maxItems: 1 }, [1, 2], false],
  [{ allOf: Array(9000).fill({}) }, 'x', true],
])('P29: %#: both of two rules hold', (document, value, accepted) => {
  expect(fromJsonSchema(document).safeParse(value).success).toBe(accepted)
})
