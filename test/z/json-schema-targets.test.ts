import { expect, test } from 'vitest'
import { toJsonSchema } from '../../src/z/to-json-schema.ts'
import * as z from '../../src/z.ts'

const NULL = { type: 'string', nullable: true, enum: [null] }

test.each<[string, z.AnySchema, object, object]>([
  [
    'gt, then the same min',
    z.number().gt(1).min(1),
    { exclusiveMinimum: 1, minimum: 1 },
    { exclusiveMinimum: true, minimum: 1 },
  ],
  [
    'min, then the same gt',
    z.number().min(1).gt(1),
    { exclusiveMinimum: 1, minimum: 1 },
    { exclusiveMinimum: true, minimum: 1 },
  ],
  ['gt, then a larger min', z.number().gt(1).min(2), { exclusiveMinimum: 1, minimum: 2 }, { minimum: 2 }],
  ['min, then a smaller gt', z.number().min(2).gt(1), { exclusiveMinimum: 1, minimum: 2 }, { minimum: 2 }],
  [
    'min, then a larger gt',
    z.number().min(1).gt(2),
    { exclusiveMinimum: 2, minimum: 1 },
    { exclusiveMinimum: true, minimum: 2 },
  ],
  [
    'lt, then the same max',
    z.number().lt(1).max(1),
    { exclusiveMaximum: 1, maximum: 1 },
    { exclusiveMaximum: true, maximum: 1 },
  ],
  ['lt, then a smaller max', z.number().lt(2).max(1), { exclusiveMaximum: 2, maximum: 1 }, { maximum: 1 }],
  ['max, then a larger lt', z.number().max(1).lt(2), { exclusiveMaximum: 2, maximum: 1 }, { maximum: 1 }],
  [
    'max, then a smaller lt',
    z.number().max(2).lt(1),
    { exclusiveMaximum: 1, maximum: 2 },
    { exclusiveMaximum: true, maximum: 1 },
  ],
])('bounds: %s', (_, schema, draft, openapi) => {
  expect(toJsonSchema(schema, { target: 'draft-7' })).toEqual({ $schema: expect.any(String), type: 'number', ...draft })
  expect(toJsonSchema(schema, { target: 'openapi-3.0' })).toEqual({ type: 'number', ...openapi })
})

test.each<[string, z.AnySchema, object, object]>([
  ['a literal', z.literal(5), { type: 'number', const: 5 }, { type: 'number', enum: [5] }],
  [
    'literals of a type',
    z.literal(['a', 'b']),
    { type: 'string', enum: ['a', 'b'] },
    { type: 'string', enum: ['a', 'b'] },
  ],
  [
    'literals of types',
    z.literal(['a', 1, null]),
    { type: ['string', 'number', 'null'], enum: ['a', 1, null] },
    { enum: ['a', 1, null] },
  ],
  ['a list with null alone', z.literal([null]), { type: 'null', enum: [null] }, NULL],
  ['a list with undefined alone', z.literal([undefined]), { not: {} }, { not: {} }],
  ['null', z.null(), { type: 'null' }, NULL],
  [
    'a nullable string',
    z.string().nullable(),
    { anyOf: [{ type: 'string' }, { type: 'null' }] },
    { type: 'string', nullable: true },
  ],
  ['a nullable without a type', z.any().nullable(), { anyOf: [{}, { type: 'null' }] }, { anyOf: [{}, NULL] }],
  [
    'a nullable enum',
    z.enum(['a']).nullable(),
    { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] },
    { anyOf: [{ type: 'string', enum: ['a'] }, NULL] },
  ],
  [
    'a nullable literal',
    z.literal('a').nullable(),
    { anyOf: [{ type: 'string', const: 'a' }, { type: 'null' }] },
    { anyOf: [{ type: 'string', enum: ['a'] }, NULL] },
  ],
])('values: %s', (_, schema, draft, openapi) => {
  expect(toJsonSchema(schema)).toEqual({ $schema: expect.any(String), ...draft })
  expect(toJsonSchema(schema, { target: 'openapi-3.0' })).toEqual(openapi)
})
