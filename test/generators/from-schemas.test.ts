import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { NOTHING, sampleOf } from '../../generators/from/sample.ts'
import type { Json } from '../openapi/from-json-schema.ts'
import { filesIn, runCommand } from './run-command.ts'
import { importApp, linkPackages, temporaryFolder } from './sandbox.ts'

vi.stubEnv('NODE_ENV', 'test')

/** Schemas of a document, with values that they accept and values that they refuse. */
const ROWS: readonly [name: string, schema: Json, accepted: readonly unknown[], refused: readonly unknown[]][] = [
  [
    'bounds of 3.0 that are excluded',
    { type: 'number', minimum: 1, exclusiveMinimum: true, maximum: 3, exclusiveMaximum: true },
    [2],
    [1, 3],
  ],
  ['bounds of 3.1 that are excluded', { type: 'number', exclusiveMinimum: 1, exclusiveMaximum: 3 }, [2], [1, 3]],
  ['bounds without a type', { minimum: 1 }, [1], [0]],
  ['a whole number', { type: 'integer' }, [1], [1.5]],
  ['a multiple', { type: 'number', multipleOf: 0.01 }, [0.07], [0.075]],
  ['a length', { type: 'string', minLength: 2, maxLength: 3 }, ['ab', 'abc'], ['a', 'abcd']],
  ['a pattern with Unicode', { type: 'string', pattern: '^\\p{Lu}/$' }, ['Ž/'], ['ž/', 'Ž']],
  ['a pattern that only works without it', { type: 'string', pattern: '^\\-a$' }, ['-a'], ['a']],
  ['null of 3.0', { type: 'string', nullable: true }, ['a', null], [1]],
  ['null of 3.1', { type: ['string', 'null'] }, ['a', null], [1]],
  ['null in an enum', { type: 'string', enum: ['a', null], nullable: true }, ['a', null], ['b']],
  ['numbers in an enum', { type: 'integer', enum: [1, 2] }, [1, 2], [3, '1']],
  ['two types', { type: ['string', 'integer'], minLength: 2, maximum: 5 }, ['ab', 5], ['a', 6, true]],
  [
    'a tuple',
    { type: 'array', minItems: 1, prefixItems: [{ type: 'string' }], items: { type: 'number' } },
    [['a'], ['a', 1]],
    [['a', 'b'], [1]],
  ],
  [
    'a tuple and no more',
    { type: 'array', minItems: 1, prefixItems: [{ type: 'string' }], items: false },
    [['a']],
    [['a', 1]],
  ],
  ['limits of a list', { type: 'array', items: {}, minItems: 1, maxItems: 2 }, [[1], [1, 2]], [[], [1, 2, 3]]],
  [
    'values of other keys',
    { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'number' } },
    [{ a: 'x', b: 1 }],
    [{ b: 'x' }],
  ],
  ['no other keys', { type: 'object', properties: { a: {} }, additionalProperties: false }, [{ a: 1 }], [{ b: 1 }]],
  ['no keys', { type: 'object', additionalProperties: false }, [{}], [{ a: 1 }]],
  ['a map', { type: 'object', additionalProperties: { type: 'integer' } }, [{ a: 1 }], [{ a: 'x' }]],
  [
    'a key that may hold anything',
    { type: 'object', required: ['a'], properties: { a: { description: 'Any' } } },
    [{ a: null }, { a: 1 }],
    [{}],
  ],
  ['a key without a schema', { type: 'object', required: ['a'] }, [{ a: 1 }], [{}]],
  [
    'one of two keys',
    {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
    },
    [{ a: 'x' }, { b: 'x' }],
    [{}, { a: 1 }],
  ],
  [
    'the key __proto__',
    JSON.parse('{"type":"object","required":["__proto__"],"properties":{"__proto__":{"type":"string"}}}'),
    [JSON.parse('{"__proto__":"a"}')],
    [{}, JSON.parse('{"__proto__":1}')],
  ],
  [
    'both',
    {
      allOf: [
        { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
        { type: 'object', required: ['b'], properties: { b: {} } },
      ],
    },
    [{ a: 'x', b: 1 }],
    [{ a: 'x' }, { b: 1 }],
  ],
  [
    'a length beside anyOf',
    { type: 'string', minLength: 3, anyOf: [{ pattern: '^a' }, { pattern: '^b' }] },
    ['abc', 'bcd'],
    ['ab', 'xyz'],
  ],
]

const names = ROWS.map((_, index) => `Row${index}`)
const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  security: [{ key: [] }],
  paths: {
    '/{id}': {
      parameters: [
        { in: 'path', name: 'id', required: true, schema: { type: 'string' } },
        { in: 'query', name: 'n', schema: { type: 'string' } },
        { $ref: '#/components/parameters/A' },
      ],
      get: {
        security: [],
        parameters: [
          {
            in: 'query',
            name: 'n',
            required: true,
            description: 'How many',
            deprecated: true,
            schema: { enum: [1, 2] },
          },
          { in: 'header', name: 'Accept', required: true, schema: { type: 'integer' } },
        ],
        responses: {
          200: {
            description: 'Fine',
            headers: { 'X-Total': { schema: { type: 'integer' } } },
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Filled' } } },
          },
          'x-more': { description: 'An extension' },
        },
      },
    },
  },
  components: {
    parameters: { A: { $ref: '#/components/parameters/B' }, B: { $ref: '#/components/parameters/A' } },
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
    schemas: {
      ...Object.fromEntries(ROWS.map(([, schema], index) => [names[index], schema])),
      Filled: {
        type: 'object',
        properties: {
          a: { type: 'object', properties: { b: { type: 'number' } }, default: { b: 1 } },
          old: { type: 'string', deprecated: true },
        },
      },
    },
  },
}

let root: string
let said: string
let made: Json

beforeAll(async () => {
  const parent = temporaryFolder()
  writeFileSync(join(parent, 'api.json'), JSON.stringify(DOCUMENT))
  const { code, out } = await runCommand(parent, ['new', 'shop', '--from', 'api.json', '--no-install', '--no-git'])
  expect(code).toBe(0)
  root = join(parent, 'shop')
  said = out
  linkPackages(root)
  made = await import(/* @vite-ignore */ join(root, 'src/schemas.ts'))
})

describe('OA10: a schema of a project accepts and refuses what that of the document does', () => {
  test.each(ROWS.map(([name, , accepted, refused], index) => [name, names[index]!, accepted, refused] as const))(
    '%s',
    (_, name, accepted, refused) => {
      const accepts = (value: unknown): boolean => made[name].safeParse(value).success
      expect({ accepted: accepted.map(accepts), refused: refused.map(accepts) }).toEqual({
        accepted: accepted.map(() => true),
        refused: refused.map(() => false),
      })
    },
  )

  test.each(ROWS.map(([name, schema], index) => [name, names[index]!, schema] as const))(
    'and the sample of a test: %s',
    (_, name, schema) => {
      const value = sampleOf(schema, { root: DOCUMENT, notes: [] })
      if (value !== NOTHING) expect(made[name].safeParse(value)).toMatchObject({ success: true })
    },
  )

  test('a sample has what a part requires of the keys beside it', () => {
    const schema = {
      type: 'object',
      properties: { a: { enum: ['x'] }, b: { type: 'string' } },
      anyOf: [{ properties: { b: { enum: ['y'] } }, required: ['a', 'b'] }],
    }
    expect(sampleOf(schema, { root: {}, notes: [] })).toEqual({ a: 'x', b: 'y' })
  })

  test('a default that is an object is filled in, a new one each time', () => {
    const [first, second] = [made.Filled.parse({}), made.Filled.parse({})]
    expect(first).toEqual({ a: { b: 1 } })
    expect(first.a).not.toBe(second.a)
  })
})

describe('OA10: a route of a project', () => {
  test('has the parameters of its path and its own, which win, but not the fields that OpenAPI has elsewhere', async () => {
    const app = await importApp(root)
    const status = async (path: string) => (await app.request(path, { headers: { accept: 'text/html' } })).status
    expect(await status('/a?n=1')).toBe(501)
    expect(await status('/a?n=3')).toBe(422)
    expect(await status('/a')).toBe(422)
  })

  test('says the rest of what the document does', async () => {
    const document: Json = await (await (await importApp(root)).request('/openapi.json')).json()
    const { get } = document.paths['/{id}']
    expect(get.security).toEqual([])
    expect(get.responses[200].headers).toEqual({ 'X-Total': { schema: { type: 'integer' } } })
    expect(get.parameters.find(({ name }: Json) => name === 'n')).toMatchObject({
      description: 'How many',
      deprecated: true,
    })
    expect(document.components.securitySchemes).toEqual(DOCUMENT.components.securitySchemes)
    expect(document.components.schemas.Filled.properties.old).toEqual({ type: 'string', deprecated: true })
  })

  test('references in a circle are said, extensions are not', () => {
    expect(said).toContain('the reference #/components/parameters/A is not in the document')
    expect(said).not.toContain('x-more')
    expect(filesIn(root)['FROM.md']).not.toContain('x-more')
  })
})
