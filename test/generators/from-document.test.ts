import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { readDocument } from '../../generators/from/document.ts'
import { filesFrom } from '../../generators/from/files.ts'
import { runs } from '../fuzz.ts'
import { breaksOf, type Json, valuesOf } from '../openapi/from-json-schema.ts'
import { expectValid } from '../openapi/validity.ts'
import { filesIn, runCommand } from './run-command.ts'
import { importApp, linkPackages, temporaryFolder } from './sandbox.ts'

vi.stubEnv('NODE_ENV', 'test')

/** Write a document and make a project of it. */
const projectOf = async (document: unknown, ...words: string[]) => {
  const parent = temporaryFolder()
  writeFileSync(join(parent, 'api.json'), typeof document === 'string' ? document : JSON.stringify(document))
  const line = ['new', 'shop', '--from', 'api.json', '--no-install', '--no-git', ...words]
  const { code, out, err } = await runCommand(parent, line)
  return { code, out, err, root: join(parent, 'shop'), parent }
}

const documentOf = (paths: object, components: object = {}): Json => ({
  openapi: '3.1.0',
  info: { title: 'Shop', version: '2.1.0' },
  paths,
  components,
})

const Item = {
  type: 'object',
  required: ['id', 'name', 'kind'],
  additionalProperties: false,
  properties: {
    id: { type: 'integer', minimum: 1, maximum: 1000 },
    name: { type: 'string', minLength: 2, maxLength: 10, description: "The item's name" },
    kind: { enum: ['small', 'large'] },
    price: { type: 'number', exclusiveMinimum: 0 },
    size: { type: 'object', properties: { unit: { type: 'string', default: 'cm' } } },
    count: { type: 'integer', default: 1 },
    tags: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 3 },
    note: { type: ['string', 'null'] },
    parent: { $ref: '#/components/schemas/Item' },
    'with space': { anyOf: [{ type: 'boolean' }, { type: 'integer' }] },
  },
}

const ok = { 200: { description: 'Fine' } }
const SHOP = documentOf(
  {
    '/items/{item-id}/parts/{part.id}': {
      parameters: [
        { in: 'path', name: 'item-id', required: true, schema: { type: 'integer' } },
        { in: 'path', name: 'part.id', required: true, schema: { type: 'string', maxLength: 3 } },
      ],
      get: {
        operationId: 'part',
        summary: "One part of an item's",
        tags: ['parts'],
        deprecated: true,
        parameters: [
          { in: 'query', name: 'full', schema: { type: 'boolean' } },
          { in: 'query', name: 'color', schema: { type: 'array', items: { type: 'string', enum: ['red', 'blue'] } } },
          { in: 'query', name: 'size', required: true, schema: { type: 'integer', default: 3 } },
          { in: 'header', name: 'X-Trace', schema: { type: 'string', maxLength: 4 } },
        ],
        responses: {
          200: {
            description: 'It',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Item' } } },
          },
          '4XX': { description: 'No' },
          default: { description: 'Other' },
        },
      },
    },
    '/items': {
      post: {
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Item' } } },
        },
        responses: { 201: { description: 'Made' } },
      },
    },
    '/files': {
      put: {
        requestBody: {
          required: true,
          content: {
            'multipart/form-data': {
              schema: {
                type: 'object',
                required: ['file', 'count'],
                properties: { file: { type: 'string', format: 'binary' }, count: { type: 'integer' } },
              },
            },
          },
        },
        responses: ok,
      },
    },
  },
  { schemas: { Item } },
)

describe('OA10: a project from a document', () => {
  test('has its routes, which check their input', async () => {
    const { code, err, root } = await projectOf(SHOP)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    linkPackages(root)
    const app = await importApp(root)
    const status = async (path: string, init?: RequestInit) => (await app.request(path, init)).status
    const json = (value: unknown, method = 'POST') => ({
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(value),
    })
    // 501: accepted, and not written yet
    expect(await status('/items/1/parts/a?size=2')).toBe(501)
    expect(await status('/items/one/parts/a?size=2')).toBe(422)
    expect(await status('/items/1/parts/long?size=2')).toBe(422)
    expect(await status('/items/1/parts/a')).toBe(501)
    expect(await status('/items/1/parts/a?size=big')).toBe(422)
    expect(await status('/items/1/parts/a?full=false&color=red')).toBe(501)
    expect(await status('/items/1/parts/a?full=no')).toBe(422)
    expect(await status('/items/1/parts/a?color=red&color=blue')).toBe(501)
    expect(await status('/items/1/parts/a?color=red&color=green')).toBe(422)
    expect(await status('/items/1/parts/a', { headers: { 'x-trace': 'long one' } })).toBe(422)
    expect(await status('/items', json({ id: 1, name: 'ab', kind: 'small' }))).toBe(501)
    expect(await status('/items', json({ id: 1, name: 'a', kind: 'small' }))).toBe(422)
    expect(await status('/items', json({ id: 1, name: 'ab', kind: 'small', other: 1 }))).toBe(422)
    expect(await status('/items', json({ id: 1, name: 'ab', kind: 'small', parent: { id: 0 } }))).toBe(422)
    const form = new FormData()
    form.append('count', '5')
    expect(await status('/files', { method: 'PUT', body: form })).toBe(422)
    form.append('file', new Blob(['x']), 'x.txt')
    expect(await status('/files', { method: 'PUT', body: form })).toBe(501)
  })

  test.each([
    [50, 0],
    [51, 2],
    [120, 3],
  ])('NF3: %i routes are one chain, of parts that a compiler takes', async (count, parts) => {
    const paths = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`/items${index}`, { get: { responses: ok } }]),
    )
    const { root } = await projectOf(documentOf(paths))
    const source = filesIn(join(root, 'src'))['operations.ts'] ?? ''
    expect(source.match(/^const operations\d = createApp<unknown, object>\(\)$/gm) ?? []).toHaveLength(parts)
    expect(source.match(/^ {2}\.mount\('\/', operations\d\)$/gm) ?? []).toHaveLength(parts)
    expect(source).toMatch(/^export const operations = createApp<unknown, object>\(\)$/m)
    linkPackages(root)
    const app = await importApp(root)
    expect(app.routes().filter(({ path }) => path.startsWith('/items'))).toHaveLength(count)
    expect((await app.request(`/items${count - 1}`)).status).toBe(501)
  })

  test('NF3: names of the module that a schema has too are told apart', async () => {
    const named = { type: 'object', properties: { id: { type: 'integer' } } }
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/operations' } } }
    const paths = { '/items': { post: { requestBody: { required: true, content }, responses: ok } } }
    const { root } = await projectOf(documentOf(paths, { schemas: { operations: named } }))
    linkPackages(root)
    const headers = { 'content-type': 'application/json' }
    const request = { method: 'POST', headers, body: '{"id":1}' }
    expect((await (await importApp(root)).request('/items', request)).status).toBe(501)
  })

  test('describes itself as the document did', async () => {
    const { root } = await projectOf(SHOP)
    linkPackages(root)
    const made: Json = await (await (await importApp(root)).request('/openapi.json')).json()
    await expectValid(made)
    expect(made.info).toEqual({ title: 'Shop', version: '2.1.0' })
    const { get } = made.paths['/items/{item-id}/parts/{part_id}']
    expect(get).toMatchObject({
      operationId: 'part',
      summary: "One part of an item's",
      tags: ['parts'],
      deprecated: true,
    })
    expect(Object.keys(get.responses)).toEqual(expect.arrayContaining(['200', '4XX', 'default']))
    expect(get.responses[200]).toEqual(SHOP.paths['/items/{item-id}/parts/{part.id}'].get.responses[200])
    expect(get.parameters.find(({ name }: Json) => name === 'size').schema).toEqual({ type: 'integer', default: 3 })
    // Its response comes first, where a field with a default is required
    expect(made.components.schemas.ItemInput).toMatchObject({ required: Item.required, additionalProperties: false })
    for (const [key, schema] of Object.entries(Item.properties))
      if (!/note|space|parent/.test(key))
        expect(made.components.schemas.ItemInput.properties[key]).toMatchObject(schema)
  })

  test('a path that refers to another one keeps the operations beside the reference', async () => {
    const shared = { get: { summary: 'Shared', responses: ok }, delete: { responses: ok } }
    const { root } = await projectOf(
      documentOf(
        { '/a': { $ref: '#/components/pathItems/Shared', get: { summary: 'Own', responses: ok } } },
        { pathItems: { Shared: shared } },
      ),
    )
    linkPackages(root)
    const made: Json = await (await (await importApp(root)).request('/openapi.json')).json()
    expect(made.paths['/a']).toMatchObject({ get: { summary: 'Own' }, delete: {} })
  })

  test('its schemas accept and refuse what those of the document do', async () => {
    const { root } = await projectOf(SHOP)
    linkPackages(root)
    const { Item: made } = await import(/* @vite-ignore */ join(root, 'src/schemas.ts'))
    const accepts = new Ajv2020({ strict: false }).compile({ ...Item, components: SHOP.components })
    fc.assert(
      fc.property(valuesOf(Item, SHOP.components.schemas), (value) => {
        expect(made.safeParse(value).success).toBe(true)
        for (const [key, schema] of Object.entries(Item.properties))
          for (const broken of breaksOf(schema, SHOP.components.schemas, false)) {
            const changed = { ...(value as object), [key]: broken }
            expect(made.safeParse(changed).success, `${key}: ${broken}`).toBe(accepts(changed))
          }
      }),
      { numRuns: runs(2000) },
    )
  })
})

/** Paths and what is said about each; the routes that stay. */
const parameter = (more: object) => ({ get: { parameters: [{ name: 'a', in: 'query', ...more }], responses: ok } })
const body = (content: object, required = true) => ({ post: { requestBody: { required, content }, responses: ok } })
const formOf = (a: object): object => ({
  'multipart/form-data': { schema: { type: 'object', properties: { a }, required: ['a'] } },
})
const schemaBody = (schema: object) => body({ 'application/json': { schema } })

describe('OA10: what a project cannot express is said', () => {
  test.each<[string, object, object, string]>([
    [
      'a parameter inside a segment',
      { '/a/{b}.json': { get: { responses: ok } } },
      {},
      'left out: a parameter must be a whole segment',
    ],
    [
      'a parameter as Express writes it, which is a fixed word in a document',
      { '/a/:b': { get: { responses: ok } } },
      {},
      'left out: a parameter must be a whole segment',
    ],
    [
      'a renamed parameter',
      { '/{a.b}': { get: { responses: ok } } },
      {},
      'the parameter a.b is called a_b in the route',
    ],
    ['a cookie', { '/': parameter({ in: 'cookie', schema: {} }) }, {}, 'the cookie a is not validated'],
    [
      'a deep object',
      { '/': parameter({ style: 'deepObject', schema: { type: 'object' } }) },
      {},
      'style deepObject of a list or an object is taken as text',
    ],
    [
      'a list with commas',
      { '/': parameter({ explode: false, schema: { type: 'array' } }) },
      {},
      'style form of a list or an object is taken as text',
    ],
    [
      'a parameter with content',
      { '/': parameter({ content: { 'application/json': {} } }) },
      {},
      'a parameter with "content" is taken as text',
    ],
    [
      'a body of XML',
      { '/': body({ 'application/xml': {} }) },
      {},
      'a body of application/xml is not validated: the handler reads it',
    ],
    [
      'a second body',
      { '/': body({ 'application/json': {}, 'text/plain': {} }) },
      {},
      'a body of text/plain is not validated (application/json is)',
    ],
    [
      'a form beside JSON',
      { '/': body({ 'application/json': {}, 'application/x-www-form-urlencoded': {} }) },
      {},
      'a body of application/x-www-form-urlencoded is not validated (application/json is)',
    ],
    [
      'a body that may be absent',
      { '/': body({ 'application/json': {} }, false) },
      {},
      'the body is required, although',
    ],
    [
      'a body of GET',
      { '/': { get: { requestBody: { content: {} }, responses: ok } } },
      {},
      'a body of GET is not validated',
    ],
    ['callbacks', { '/': { get: { callbacks: {}, responses: ok } } }, {}, '"callbacks" is left out'],
    ['servers of an operation', { '/': { get: { servers: [], responses: ok } } }, {}, '"servers" is left out'],
    ['TRACE', { '/': { trace: { responses: ok } } }, {}, '"trace" of a path is left out'],
    ['webhooks', {}, { webhooks: {} }, '"webhooks" is left out'],
    ['links', { '/': { get: { responses: { 200: { description: '', links: {} } } } } }, {}, '"links" are left out'],
    [
      'a second media type',
      {
        '/': { get: { responses: { 200: { description: '', content: { 'application/json': {}, 'text/csv': {} } } } } },
      },
      {},
      'the media type text/csv is left out (application/json is described)',
    ],
    [
      'a schema of another type than JSON',
      { '/': { get: { responses: { 200: { description: '', content: { 'text/csv': { schema: {} } } } } } } },
      {},
      'the schema of text/csv is left out',
    ],
    [
      'an id that is used twice',
      { '/': { get: { operationId: 'x', responses: ok }, put: { operationId: 'x', responses: ok } } },
      {},
      'the operationId x is used twice',
    ],
    [
      'security',
      { '/': { get: { responses: ok } } },
      { security: [{ key: [] }] },
      '"security" is described, not enforced',
    ],
    [
      'security of an operation',
      { '/': { get: { security: [{ key: [] }], responses: ok } } },
      {},
      '"security" is described, not enforced',
    ],
    [
      'oneOf',
      { '/': schemaBody({ oneOf: [{ type: 'string' }, { type: 'number' }] }) },
      {},
      '"oneOf" is checked as "anyOf"',
    ],
    ['not', { '/': schemaBody({ type: 'string', not: { const: 'a' } }) }, {}, '"not" is not checked'],
    ['uniqueItems', { '/': schemaBody({ type: 'array', uniqueItems: true }) }, {}, '"uniqueItems" is not checked'],
    ['a format', { '/': schemaBody({ type: 'string', format: 'isbn' }) }, {}, "the format 'isbn' is not checked"],
    [
      'a pattern',
      { '/': schemaBody({ type: 'string', pattern: '(?i)a(' }) },
      {},
      "the pattern '(?i)a(' is not one of JavaScript",
    ],
    [
      'a pattern that takes exponential time',
      { '/': schemaBody({ type: 'string', pattern: '^(\\w+\\s?)*$' }) },
      {},
      "the pattern '^(\\\\w+\\\\s?)*$' is not proved to take linear time, and is not checked",
    ],
    [
      'an enum of objects',
      { '/': schemaBody({ enum: [{ a: 1 }] }) },
      {},
      'values of "enum" or "const" that are objects or lists are not checked',
    ],
    [
      'a default that does not fit',
      { '/': schemaBody({ type: 'string', default: 5 }) },
      {},
      'a "default" that does not fit its schema',
    ],
    [
      'a reference elsewhere',
      { '/': schemaBody({ $ref: 'other.json#/a' }) },
      {},
      'the reference other.json#/a is not in the document',
    ],
    [
      'a schema that contains itself',
      { '/': schemaBody({ $ref: '#/components/schemas/A' }) },
      { components: { schemas: { A: { type: 'object', properties: { a: { $ref: '#/components/schemas/A' } } } } } },
      'a schema that contains itself is checked, and has the type "any" in TypeScript',
    ],
    [
      'keywords beside a reference',
      { '/': schemaBody({ $ref: '#/components/schemas/A', minLength: 3 }) },
      { components: { schemas: { A: { type: 'string' } } } },
      'keywords beside a "$ref" are not checked',
    ],
    [
      'a type beside anyOf',
      { '/': schemaBody({ type: 'object', anyOf: [{ type: 'object', required: ['a'] }, { type: 'string' }] }) },
      {},
      'a "type" beside "anyOf", "oneOf" or "allOf" is not checked',
    ],
    [
      'anyOf beside enum',
      { '/': schemaBody({ enum: ['a', 'b'], anyOf: [{ const: 'a' }] }) },
      {},
      '"anyOf", "oneOf" and "allOf" beside "enum" or "const" are not checked',
    ],
    [
      'a tuple that may be short',
      { '/': schemaBody({ type: 'array', prefixItems: [{ type: 'string' }] }) },
      {},
      'every item of "prefixItems" is required, although the list may be shorter',
    ],
    [
      'limits of a tuple',
      { '/': schemaBody({ type: 'array', prefixItems: [{}], minItems: 1, maxItems: 3 }) },
      {},
      '"minItems" and "maxItems" of a tuple are not checked',
    ],
    ['a summary of a path', { '/': { summary: 'All', get: { responses: ok } } }, {}, '"summary" of a path is left out'],
    ['documents elsewhere', { '/': { get: { externalDocs: {}, responses: ok } } }, {}, '"externalDocs" is left out'],
    [
      'a description of a body',
      {
        '/': {
          post: {
            requestBody: { required: true, description: 'It', content: { 'application/json': {} } },
            responses: ok,
          },
        },
      },
      {},
      'the description of the body is left out',
    ],
    [
      'encodings of a form',
      { '/': body({ 'multipart/form-data': { schema: { type: 'object' }, encoding: {} } }) },
      {},
      '"encoding" of multipart/form-data is left out',
    ],
    [
      'properties that no part names',
      { '/': schemaBody({ type: 'object', unevaluatedProperties: false }) },
      {},
      '"unevaluatedProperties" is not checked',
    ],
    [
      'items that no part names',
      { '/': schemaBody({ type: 'array', unevaluatedItems: false }) },
      {},
      '"unevaluatedItems" is not checked',
    ],
    [
      'a discriminator',
      { '/': schemaBody({ anyOf: [{ type: 'object' }], discriminator: { propertyName: 'kind' } }) },
      {},
      '"discriminator" is left out',
    ],
    [
      'an object in a form',
      { '/': body(formOf({ type: 'object', properties: { b: { type: 'integer' } } })) },
      {},
      'an object in a form is not checked: it arrives as a string',
    ],
    [
      'other keys beside those of a pattern',
      {
        '/': schemaBody({
          type: 'object',
          patternProperties: { '^x-': {} },
          additionalProperties: { type: 'integer' },
        }),
      },
      {},
      '"additionalProperties" beside "patternProperties" is not checked',
    ],
    ['a type that does not exist', { '/': schemaBody({ type: 'file' }) }, {}, "the type 'file' does not exist"],
  ])('%s', async (_, paths, more, said) => {
    const { code, out, root } = await projectOf({ ...documentOf(paths), ...more })
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining(said) })
    expect(filesIn(root)['FROM.md']).toContain(said)
    linkPackages(root)
    // What is left is still an application
    expect((await (await importApp(root)).request('/openapi.json')).status).toBe(200)
  })

  test('keys of patterns beside additionalProperties: false, and a JSON part of a form, are not refused', async () => {
    const named = { type: 'object', properties: { b: { type: 'integer' } }, patternProperties: { '^x-': {} } }
    const { root } = await projectOf(
      documentOf({
        '/closed': schemaBody({ ...named, additionalProperties: false }),
        '/patterns': schemaBody({ type: 'object', patternProperties: { '^x-': {} }, additionalProperties: false }),
        '/form': body(formOf({ type: 'object', properties: { b: { type: 'integer' } } })),
      }),
    )
    linkPackages(root)
    const app = await importApp(root)
    const post = async (path: string, value: unknown) => {
      const headers = { 'content-type': 'application/json' }
      return (await app.request(path, { method: 'POST', headers, body: JSON.stringify(value) })).status
    }
    expect(await post('/closed', { b: 1, 'x-a': 2 })).toBe(501)
    expect(await post('/closed', { b: 'one' })).toBe(422)
    expect(await post('/patterns', { 'x-a': 2 })).toBe(501)
    const form = new FormData()
    expect((await app.request('/form', { method: 'POST', body: form })).status).toBe(422)
    form.append('a', '{"b":1}')
    expect((await app.request('/form', { method: 'POST', body: form })).status).toBe(501)
  })

  test('a colon within a segment belongs to it', async () => {
    const { out, root } = await projectOf(documentOf({ '/a/{b}/items:run': { post: { responses: ok } } }))
    expect(out).toContain('1 route of the document, with everything that it says')
    linkPackages(root)
    const app = await importApp(root)
    expect((await app.request('/a/1/items:run', { method: 'POST' })).status).toBe(501)
    expect((await app.request('/a/1/items', { method: 'POST' })).status).toBe(404)
    const made: Json = await (await app.request('/openapi.json')).json()
    expect(Object.keys(made.paths)).toContain('/a/{b}/items:run')
  })

  test('a list of objects in a form is required if the document says so', async () => {
    const { root } = await projectOf(
      documentOf({ '/form': body(formOf({ type: 'array', items: { type: 'object', properties: { b: {} } } })) }),
    )
    linkPackages(root)
    const app = await importApp(root)
    const form = new FormData()
    expect((await app.request('/form', { method: 'POST', body: form })).status).toBe(422)
    form.append('a', '{"b":1}')
    expect((await app.request('/form', { method: 'POST', body: form })).status).toBe(501)
  })

  test('nothing is said where nothing is missing', async () => {
    const { out } = await projectOf(documentOf({ '/': { get: { responses: ok } } }))
    expect(out).toContain('1 route of the document, with everything that it says')
  })

  test('the same thing is said once, with three places; FROM.md has every place', async () => {
    const paths = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [`/${name}`, parameter({ in: 'cookie' })]))
    const { out, root } = await projectOf(documentOf(paths))
    expect(out).toContain('the cookie a is not validated: GET /a; GET /b; GET /c; and 2 more')
    expect(filesIn(root)['FROM.md']).toContain('- GET /e\n')
  })
})

describe('OA10: hostile documents stay text', () => {
  test('names and texts of a document do not become code', async () => {
    const bad = "'); globalThis.hacked = true; (`${globalThis.hacked = true}`\n*/\u2028"
    const { root, code } = await projectOf(
      documentOf(
        {
          '/x': {
            get: {
              operationId: bad,
              summary: bad,
              tags: [bad],
              parameters: [{ in: 'query', name: bad, description: bad, schema: { type: 'string', default: bad } }],
              responses: { 200: { description: bad, content: { [bad]: {} } } },
            },
            post: schemaBody({ $ref: `#/components/schemas/${bad.replaceAll('~', '~0').replaceAll('/', '~1')}` }).post,
          },
        },
        {
          schemas: {
            [bad]: { type: 'object', properties: { [bad]: { enum: [bad] }, ['__proto__']: { pattern: bad } } },
          },
        },
      ),
    )
    expect(code).toBe(0)
    linkPackages(root)
    const app = await importApp(root)
    expect((await app.request('/x')).status).toBe(501)
    expect('hacked' in globalThis).toBe(false)
  })

  test('schemas that contain themselves, and references in a circle, come to an end', async () => {
    const { root, code } = await projectOf(
      documentOf(
        {
          '/': schemaBody({ $ref: '#/components/schemas/A' }),
          '/q': parameter({ schema: { $ref: '#/components/schemas/C' } }),
        },
        {
          schemas: {
            A: { type: 'object', properties: { b: { $ref: '#/components/schemas/B' } } },
            B: { type: 'object', required: ['a'], properties: { a: { $ref: '#/components/schemas/A' } } },
            C: { anyOf: [{ $ref: '#/components/schemas/C' }, { type: 'string' }] },
            D: { $ref: '#/components/schemas/A' },
          },
        },
      ),
    )
    expect(code).toBe(0)
    linkPackages(root)
    const app = await importApp(root)
    const post = async (value: unknown) =>
      (
        await app.request('/', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(value),
        })
      ).status
    expect(await post({ b: { a: { b: { a: {} } } } })).toBe(501)
    expect(await post({ b: { a: { b: {} } } })).toBe(422)
    expect((await app.request('/openapi.json')).status).toBe(200)
  })
})

describe('OA10: a project that was met', () => {
  test.each([
    ['has a route', {}, '/health'],
    ['has another route where the document has that one', { '/health': { get: { responses: ok } } }, '/healthz'],
  ])('NE1: the path that a container asks for its health %s', async (_, paths, path) => {
    const { root, code } = await projectOf(documentOf(paths), '--deploy', 'docker')
    const [, asked] = /PORT \+ '([^']+)'/.exec(filesIn(root).Dockerfile!)!
    linkPackages(root)
    const { status } = await (await importApp(root)).request(asked!)
    expect({ code, asked, status }).toEqual({ code: 0, asked: path, status: 200 })
  })

  test('NE2: its tests open a database where the project has one', async () => {
    const [plain, sqlite] = await Promise.all([
      projectOf(documentOf({ '/': { get: { responses: ok } } })),
      projectOf(documentOf({ '/': { get: { responses: ok } } }), '--db', 'sqlite'),
    ])
    const seen = [plain, sqlite].map(({ root }) => {
      const files = filesIn(join(root, 'test'))
      return { opens: /openTestDatabase\(\)/.test(files['operations.test.ts']!), helper: 'database.ts' in files }
    })
    expect(seen).toEqual([
      { opens: false, helper: false },
      { opens: true, helper: true },
    ])
  })

  test('NE3: a pattern of exponential time is never run, by the command or by the project', async () => {
    // The slowest text for it is among the samples that are tried, if it were tried
    const pattern = '^(([a-z0-9-])+.?)+$x'
    const { root, code } = await projectOf(documentOf({ '/': schemaBody({ type: 'string', pattern, minLength: 60 }) }))
    linkPackages(root)
    const app = await importApp(root)
    const headers = { 'content-type': 'application/json' }
    const { status } = await app.request('/', { method: 'POST', headers, body: `"${'a'.repeat(60)}!"` })
    const sample = filesIn(root)['test/operations.jsonl']!
    expect({ code, status, sampled: sample.includes('"sample"') }).toEqual({ code: 0, status: 501, sampled: true })
  })

  test('NE4: what only the server writes need not be sent, and may be', async () => {
    const Pet = {
      type: 'object',
      required: ['id', 'name'],
      properties: { id: { type: 'integer', readOnly: true }, name: { type: 'string' } },
    }
    const { root } = await projectOf(
      documentOf({ '/': schemaBody({ $ref: '#/components/schemas/Pet' }) }, { schemas: { Pet } }),
    )
    linkPackages(root)
    const app = await importApp(root)
    const post = async (body: object): Promise<number> =>
      (
        await app.request('/', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      ).status
    expect({
      without: await post({ name: 'a' }),
      with: await post({ id: 1, name: 'a' }),
      nothing: await post({ id: 1 }),
    }).toEqual({ without: 501, with: 501, nothing: 422 })
  })

  test('NE4: a number in a query is finite and in decimal digits, an integer safe', async () => {
    const parameters = [
      { in: 'query', name: 'i', schema: { type: 'integer' } },
      { in: 'query', name: 'n', schema: { type: 'number' } },
      { in: 'query', name: 'e', schema: { enum: [0, 16] } },
    ]
    const { root } = await projectOf(documentOf({ '/': { get: { parameters, responses: ok } } }))
    linkPackages(root)
    const app = await importApp(root)
    const statusOf = async (query: string): Promise<number> => (await app.request(`/?${query}`)).status
    const wrong = ['9007199254740993', 'Infinity', '-Infinity', '%20', '', '0x10', '0b1', '1_0', '1.', '%201', '1e999']
    const refused = wrong.flatMap((text) => [`i=${text}`, `n=${text}`, `e=${text}`])
    // A number of fractions may be as long as it is
    const expected = refused.map((query) => [query, query === 'n=9007199254740993' ? 501 : 422])
    expect(await Promise.all(refused.map(async (query) => [query, await statusOf(query)]))).toEqual(expected)
    const right = ['i=9007199254740991', 'i=-7', 'i=1e3', 'n=1e300', 'n=-0.5', 'n=1E-7', 'e=16', 'e=0']
    expect(await Promise.all(right.map(statusOf))).toEqual(right.map(() => 501))
  })

  test('NE4: the reference page calls this server first', async () => {
    const { root } = await projectOf({ ...documentOf({}), servers: [{ url: 'https://api.example/v1' }] })
    linkPackages(root)
    const { servers } = (await (await (await importApp(root)).request('/openapi.json')).json()) as Json
    expect(servers).toEqual([{ url: '/', description: 'This server' }, { url: 'https://api.example/v1' }])
  })
})

describe('OA10: the option', () => {
  test.each([
    [
      'Swagger 2.0',
      { swagger: '2.0' },
      [],
      2,
      'expected an OpenAPI document of version 3.0 or 3.1, got none: convert Swagger first',
    ],
    ['another version', { openapi: '4.0.0' }, [], 2, 'got "4.0.0"'],
    ['any other JSON', [], [], 2, 'got none'],
    ['what is not JSON', '{', [], 2, '--from: api.json: '],
    [
      'another template',
      documentOf({}),
      ['--template', 'minimal'],
      2,
      '--from makes a project of the template api, not minimal',
    ],
  ])('%s is refused, and nothing is written', async (_, document, words, code, message) => {
    const { parent, ...outcome } = await projectOf(document, ...words)
    expect({ code: outcome.code, err: outcome.err }).toEqual({ code, err: expect.stringContaining(message) })
    expect(Object.keys(filesIn(parent))).toEqual(['api.json'])
  })

  test('a file that does not exist is refused', async () => {
    const { code, err } = await runCommand(temporaryFolder(), ['new', 'shop', '--from', 'none.yaml'])
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('--from: none.yaml cannot be read: ENOENT') })
  })

  test('YAML gives the same files as JSON', async () => {
    const parent = temporaryFolder()
    const { stringify } = await import('yaml')
    writeFileSync(join(parent, 'api.json'), JSON.stringify(SHOP))
    writeFileSync(join(parent, 'api.yaml'), stringify(SHOP))
    const [json, yaml] = await Promise.all(['api.json', 'api.yaml'].map((file) => readDocument(parent, file)))
    expect(filesFrom(yaml!)).toEqual(filesFrom(json!))
  })
})
