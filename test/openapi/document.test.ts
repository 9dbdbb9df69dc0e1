import { STATUS_CODES } from 'node:http'
import { describe, expect, test } from 'vitest'
import * as zod4 from 'zod'
import type { PlanSource } from '../../src/app/routes.ts'
import { createApp } from '../../src/app.ts'
import type { Middleware } from '../../src/internal/types/context.ts'
import { blank, route, use } from '../../src/kernel/plan.ts'
import { at, basePath, group, mount } from '../../src/kernel/scope.ts'
import { apiKey } from '../../src/middleware/api-key.ts'
import { apiVersion } from '../../src/middleware/api-version.ts'
import { basicAuth } from '../../src/middleware/basic-auth.ts'
import { bearerAuth } from '../../src/middleware/bearer-auth.ts'
import { bodyLimit } from '../../src/middleware/body-limit.ts'
import { bodyParser } from '../../src/middleware/body-parser.ts'
import { every, except, some } from '../../src/middleware/combine.ts'
import { csrf } from '../../src/middleware/csrf.ts'
import { deprecation } from '../../src/middleware/deprecation.ts'
import { idempotency } from '../../src/middleware/idempotency.ts'
import { ipRestriction } from '../../src/middleware/ip-restriction.ts'
import { jwt } from '../../src/middleware/jwt.ts'
import { loadShedding } from '../../src/middleware/load-shedding.ts'
import { rateLimiter } from '../../src/middleware/rate-limiter.ts'
import { requireScopes } from '../../src/middleware/require-scopes.ts'
import { timeout } from '../../src/middleware/timeout.ts'
import {
  validateBody,
  validateHeaders,
  validateParams,
  validateQuery,
  validator,
} from '../../src/middleware/validator.ts'
import { webhook } from '../../src/middleware/webhook.ts'
import { describe as describeRoute, named, openapi } from '../../src/openapi.ts'
import { pipe } from '../../src/pipe.ts'
import { problemJson } from '../../src/problem-json.ts'
import { text } from '../../src/respond/text.ts'
import { memoryIdempotency } from '../../src/stores/memory-idempotency.ts'
import { number as smallNumber } from '../../src/z/number.ts'
import { object as smallObject } from '../../src/z/object.ts'
import * as z from '../../src/z.ts'
import * as zod3 from '../../src/zod3.ts'
import { expectValid } from './validity.ts'

const info = { title: 'Test', version: '1.0.0' }
const ok = (): Response => text('ok')
// any: looked into freely
const document = (app: PlanSource, more: object = {}) => openapi(app, { info, ...more }) as any

/** The one operation of a document. */
const only = (...steps: any[]) => {
  const [method, path, ...rest] = steps as [string, string]
  const made = document(pipe(blank, route(method, path, ...([...rest, ok] as [never]))))
  return { made, operation: made.paths[Object.keys(made.paths)[0]!][method.toLowerCase()] }
}

const verify = (): false => false
const auth = bearerAuth({ verify })
const secret = 'x'.repeat(32)
const store = memoryIdempotency()
const token = jwt({ algorithms: ['HS256'], secret })
const remote = jwt({ algorithms: ['RS256'], jwks: 'https://id.example/jwks.json' })
const BEARER_JWT = { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }

describe('OA1: middleware says what it reads and answers', () => {
  const schema = z.object({ a: z.string() })

  test.each([
    ['body', validateBody],
    ['query', validateQuery],
    ['params', validateParams],
    ['headers', validateHeaders],
  ] as const)('a validator of %s', (source, validate) => {
    const step: Middleware<any, any> = validate(schema)
    expect(step.describes).toEqual({ source, schema, status: 422, ownErrorResponse: false })
    expect(step.name).toBe('validator')
  })

  test.each<[string, Middleware<any, any>, object]>([
    [
      'validator with a status and an answer',
      validator({ schema, status: 400, onError: ok }),
      { source: 'body', schema, status: 400, ownErrorResponse: true },
    ],
    ['bearerAuth', auth, { statuses: [401], security: { bearerAuth: { type: 'http', scheme: 'bearer' } } }],
    [
      'basicAuth',
      basicAuth({ verify }),
      { statuses: [401], security: { basicAuth: { type: 'http', scheme: 'basic' } } },
    ],
    [
      'apiKey',
      apiKey({ verify, header: 'x-key' }),
      { statuses: [401], security: { apiKey: { type: 'apiKey', in: 'header', name: 'x-key' } } },
    ],
    ['rateLimiter', rateLimiter({ max: 1, windowMs: 1000 }), { statuses: [429] }],
    ['bodyParser', bodyParser(), { statuses: [400, 413, 415], unsafe: true }],
    ['csrf', csrf({ secret }), { statuses: [403], unsafe: true }],
    ['deprecation', deprecation({ since: new Date(0) }), { deprecated: true }],
    ['deprecation for some requests', deprecation({ since: new Date(0), when: () => true }), { deprecated: false }],
    [
      'apiVersion',
      apiVersion({ versions: ['1', '2'], required: true }),
      {
        statuses: [400],
        parameters: [{ name: 'api-version', in: 'header', required: true, schema: { enum: ['1', '2'] } }],
      },
    ],
    [
      'apiVersion by query',
      apiVersion({ versions: ['1'], strategy: 'query' }),
      { statuses: [400], parameters: [{ name: 'version', in: 'query', required: false, schema: { enum: ['1'] } }] },
    ],
    [
      'apiVersion by path',
      apiVersion({ versions: ['1'], strategy: 'path' }),
      { statuses: [404], parameters: [{ in: 'path' }] },
    ],
    [
      'apiVersion, required, with its own status',
      apiVersion({ versions: ['1'], strategy: 'path', required: true }),
      { statuses: [404, 400] },
    ],
    ['jwt', token, { statuses: [401], security: { bearerAuth: BEARER_JWT } }],
    ['jwt by a key set', remote, { statuses: [401, 503], security: { bearerAuth: BEARER_JWT } }],
    ['requireScopes', requireScopes('a'), { statuses: [403] }],
    ['ipRestriction', ipRestriction({ deny: ['10.0.0.0/8'] }), { statuses: [403] }],
    ['bodyLimit', bodyLimit(10), { statuses: [413], unsafe: true }],
    ['timeout', timeout(1000), { statuses: [503] }],
    ['timeout with a status', timeout(1000, { status: 504 }), { statuses: [504] }],
    ['loadShedding', loadShedding({ maxConcurrent: 1 }), { statuses: [503] }],
    [
      'idempotency',
      idempotency({ scope: () => '', store }),
      {
        statuses: [400, 409, 422],
        methods: ['POST', 'PATCH'],
        parameters: [{ name: 'idempotency-key', in: 'header', required: false, schema: { type: 'string' } }],
      },
    ],
    ['webhook', webhook({ scheme: 'github', secret }), { statuses: [401, 413] }],
    ['webhook with a store', webhook({ scheme: 'stripe', secret, store }), { statuses: [401, 413, 409] }],
  ])('%s', (_, step, expected) => expect(step.describes).toMatchObject(expected))

  test.each<[string, Middleware<any, any>, string[]]>([
    ['bearerAuth', auth, ['401']],
    ['rateLimiter', rateLimiter({ max: 1, windowMs: 1000 }), ['429']],
    ['csrf', csrf({ secret }), ['403']],
    ['bodyParser', bodyParser(), ['400', '413', '415']],
    ['jwt', token, ['401']],
    ['requireScopes', requireScopes('a'), ['403']],
    ['ipRestriction', ipRestriction({ allow: ['10.0.0.0/8'] }), ['403']],
    ['bodyLimit', bodyLimit(10), ['413']],
    ['timeout', timeout(1000), ['503']],
    ['loadShedding', loadShedding({ maxConcurrent: 1 }), ['503']],
    ['idempotency', idempotency({ scope: () => '', store, required: true }), ['400', '409', '422']],
    ['webhook', webhook({ scheme: 'github', secret }), ['401', '413']],
    ['a validator of the body', validateBody(schema), ['400', '413', '415', '422']],
    ['a validator of the query', validateQuery(schema, { status: 400 }), ['400']],
  ])('the answers of %s stand in the document', async (_, step, statuses) => {
    const { made, operation } = only('POST', '/', step)
    expect(Object.keys(operation.responses).filter((status) => status !== 'default')).toEqual(statuses)
    await expectValid(made)
  })

  test.each([
    ['POST', ['400', '409', '422'], ['idempotency-key']],
    ['PATCH', ['400', '409', '422'], ['idempotency-key']],
    ['PUT', [], []],
    ['GET', [], []],
  ])('idempotency is described for the methods to which it applies: %s', (method, statuses, names) => {
    const { operation } = only(method, '/', idempotency({ scope: () => '', store }))
    expect(Object.keys(operation.responses).filter((status) => status !== 'default')).toEqual(statuses)
    expect((operation.parameters ?? []).map(({ name }: { name: string }) => name)).toEqual(names)
  })

  const key = apiKey({ verify })

  test.each<[string, Middleware<any, any>, object[] | undefined, string[]]>([
    ['every', every(token, requireScopes('a')), [{ bearerAuth: [] }], ['401', '403']],
    ['some: one is enough', some(auth, key), [{ bearerAuth: [] }, { apiKey: [] }], ['401']],
    [
      'some, with one that asks for no credentials',
      some(auth, ipRestriction({ allow: ['::1'] })),
      [{ bearerAuth: [] }, {}],
      ['403'],
    ],
    [
      'some of every',
      some(key, every(token, requireScopes('a'))),
      [{ apiKey: [] }, { bearerAuth: [] }],
      ['401', '403'],
    ],
    [
      'every of some',
      every(key, some(auth, basicAuth({ verify }))),
      [
        { apiKey: [], bearerAuth: [] },
        { apiKey: [], basicAuth: [] },
      ],
      ['401'],
    ],
    ['except another path', except('/login', auth), [{ bearerAuth: [] }], ['401']],
    ['except this path', except(['/login', '/users/*'], auth), undefined, []],
    ['except by a function, which nobody can read', except(() => false, auth), [{ bearerAuth: [] }], ['401']],
    ['some without credentials', some(timeout(10), loadShedding({ maxConcurrent: 1 })), undefined, ['503']],
  ])('combinations are described: %s', async (_, step, security, statuses) => {
    const { made, operation } = only('POST', '/users/:id', step)
    expect(operation.security).toEqual(security)
    expect(Object.keys(operation.responses).filter((status) => status !== 'default')).toEqual(statuses)
    await expectValid(made)
  })

  test('a combination of the application, below its base path and in a group', () => {
    const app = createApp({ basePath: '/api' })
      .use(except('/public/*', token))
      .get('/public/a', ok)
      .group('/users', (users) => users.get('/:id', every(validateParams(z.object({ id: z.coerce.number() }))), ok))
    const { paths } = document(app)
    expect(paths['/api/public/a'].get.security).toBeUndefined()
    expect(paths['/api/users/{id}'].get.security).toEqual([{ bearerAuth: [] }])
    expect(paths['/api/users/{id}'].get.parameters[0].schema).toEqual({ type: 'number' })
  })

  test('a route behind jwt is not public, and its scheme is that of bearer tokens', async () => {
    const { made, operation } = only('DELETE', '/users/:id', token, requireScopes('users:write'))
    expect(operation.security).toEqual([{ bearerAuth: [] }])
    expect(made.components.securitySchemes).toEqual({ bearerAuth: BEARER_JWT })
    expect(Object.keys(operation.responses)).toEqual(['401', '403', 'default'])
    await expectValid(made)
  })

  test.each(['GET', 'HEAD', 'OPTIONS'])('%s has no body, and is not refused for one', (method) => {
    const { operation } = only(method, '/', bodyParser(), bodyLimit(10), csrf({ secret }), validateBody(schema))
    expect(operation.requestBody).toBeUndefined()
    expect(Object.keys(operation.responses)).toEqual(['default'])
  })
})

describe('OA4: paths', () => {
  test.each([
    ['/', '/', []],
    ['/users/:id', '/users/{id}', ['id']],
    ['/a/:b/c/:d-e', '/a/{b}/c/{d-e}', ['b', 'd-e']],
    ['/files/*path', '/files/{path}', ['path']],
    ['/files/*', '/files/{wildcard}', ['wildcard']],
    ['/caf%C3%A9', '/caf%C3%A9', []],
  ])('%s is %s', async (pattern, path, names) => {
    const { made, operation } = only('GET', pattern)
    expect(Object.keys(made.paths)).toEqual([path])
    expect(
      (operation.parameters ?? []).map((one: any) => ({ name: one.name, in: one.in, required: one.required })),
    ).toEqual(names.map((name) => ({ name, in: 'path', required: true })))
    await expectValid(made)
  })

  test('two routes with other names for the same parameter share the path of the first', async () => {
    const made = document(
      pipe(
        blank,
        route('GET', '/users/:id', ok),
        route('DELETE', '/users/:name', validateParams(z.object({ name: z.string().max(9) })), ok),
      ),
    )
    expect(Object.keys(made.paths)).toEqual(['/users/{id}'])
    expect(made.paths['/users/{id}'].delete.parameters).toEqual([
      { name: 'id', in: 'path', required: true, schema: { type: 'string', maxLength: 9 } },
    ])
    await expectValid(made)
  })

  test('a route for every method fills the methods that no other route has', () => {
    const made = document(
      createApp()
        .all('/x', ok)
        .get('/x', describeRoute({ summary: 'mine' }), ok),
    )
    expect(Object.keys(made.paths['/x']).sort()).toEqual(['delete', 'get', 'patch', 'post', 'put'])
    expect(made.paths['/x'].get.summary).toBe('mine')
  })

  test('the first of two routes for the same requests is described, since it answers', () => {
    const made = document(
      createApp()
        .get('/:a', describeRoute({ summary: 'first' }), ok)
        .get('/:b', describeRoute({ summary: 'second' }), ok),
    )
    expect(made.paths['/{a}'].get.summary).toBe('first')
  })

  test('methods without a place in OpenAPI are left out', () => {
    expect(document(pipe(blank, route('PROPFIND', '/x', ok))).paths).toEqual({})
  })

  test('a base path, groups and mounted applications give whole paths, with the steps before them', async () => {
    const inner = createApp({ basePath: '/inner', notFound: ok }).use(auth).get('/things', ok)
    const app = createApp({ basePath: '/api' })
      .group('/admin', (admin) => admin.use(rateLimiter({ max: 1, windowMs: 1000 })).get('/', ok))
      .mount('/v1', inner)
      .get('/open', ok)
    const { paths } = document(app)
    expect(Object.keys(paths)).toEqual(['/api/admin', '/api/v1/inner/things', '/api/open'])
    expect(Object.keys(paths['/api/admin'].get.responses)).toEqual(['429', 'default'])
    expect(paths['/api/v1/inner/things'].get.security).toEqual([{ bearerAuth: [] }])
    expect(paths['/api/open'].get.security).toBeUndefined()
    await expectValid(document(app))
  })

  test('so does the pipe door', () => {
    const plan = pipe(
      blank,
      route('GET', '/a', ok),
      group('/g', (inner) => pipe(inner, use(auth as never), route('GET', '/b', ok))),
      mount('/m', pipe(blank, route('GET', '/c', ok))),
      basePath('/api'),
    )
    const { paths } = document(plan)
    expect(Object.keys(paths)).toEqual(['/api/a', '/api/g/b', '/api/m/c'])
    expect(paths['/api/g/b'].get.security).toEqual([{ bearerAuth: [] }])
  })

  test('middleware of `at` counts for the routes that its pattern covers', () => {
    const plan = pipe(blank, use(at('/admin/*', auth)), route('GET', '/admin/:id', ok), route('GET', '/open', ok))
    const { paths } = document(plan)
    expect(paths['/admin/{id}'].get.security).toEqual([{ bearerAuth: [] }])
    expect(paths['/open'].get.security).toBeUndefined()
  })
})

describe('OA4: operations', () => {
  test('ids are made from method and path, and never double', () => {
    const app = createApp()
      .get('/', ok)
      .get('/users/:id', ok)
      .get('/users-id', ok)
      .post('/x', describeRoute({ operationId: 'getUsersId' }), ok)
    const { paths } = document(app)
    expect(paths['/'].get.operationId).toBe('getRoot')
    expect(paths['/x'].post.operationId).toBe('getUsersId')
    expect(paths['/users/{id}'].get.operationId).toBe('getUsersId2')
    expect(paths['/users-id'].get.operationId).toBe('getUsersId3')
  })

  test('an id that two operations were given is refused', () => {
    const app = createApp()
      .get('/a', describeRoute({ operationId: 'x' }), ok)
      .get('/b', describeRoute({ operationId: 'x' }), ok)
    expect(() => document(app)).toThrow('openapi: two operations have the id x')
  })

  test('query and header parameters stand one by one', async () => {
    const { made, operation } = only(
      'GET',
      '/:id',
      validateParams(z.object({ id: z.coerce.number().int().positive() })),
      validateQuery(
        z.object({
          page: z.coerce.number().min(1).default(1),
          q: z.string().describe('Words'),
          tag: z.array(z.string()).optional(),
        }),
      ),
      validateHeaders(z.object({ 'x-tenant': z.string(), authorization: z.string() })),
    )
    expect(operation.parameters).toEqual([
      { name: 'id', in: 'path', required: true, schema: { type: 'integer', exclusiveMinimum: 0 } },
      { name: 'page', in: 'query', schema: { type: 'number', minimum: 1, default: 1 } },
      {
        name: 'q',
        in: 'query',
        description: 'Words',
        required: true,
        schema: { type: 'string', description: 'Words' },
      },
      { name: 'tag', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
      { name: 'x-tenant', in: 'header', required: true, schema: { type: 'string' } },
    ])
    await expectValid(made)
  })

  test('members of both sides of an intersection are parameters', () => {
    const { operation } = only(
      'GET',
      '/',
      validateQuery(z.object({ a: z.string() }).and(z.object({ b: z.string().optional() }))),
    )
    expect(operation.parameters.map((one: any) => ({ name: one.name, required: one.required }))).toEqual([
      { name: 'a', required: true },
      { name: 'b', required: undefined },
    ])
  })

  test('a query that is no object is one parameter', async () => {
    const { made, operation } = only('GET', '/', validateQuery(z.record(z.string())))
    expect(operation.parameters).toMatchObject([{ name: 'query', in: 'query', style: 'form', explode: true }])
    await expectValid(made)
  })

  test.each([
    ['json', ['application/json']],
    ['form', ['application/x-www-form-urlencoded', 'multipart/form-data']],
  ] as const)('NA16: the body of a validator of %s has its types', (type, types) => {
    for (const value of [z.string(), z.number()]) {
      const { operation } = only('POST', '/', validateBody(z.object({ a: value as z.ZodTypeAny }), { type }))
      expect(Object.keys(operation.requestBody.content)).toEqual(types)
    }
  })

  const forms = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data']
  test.each<[string, any, string[]]>([
    ['texts', z.object({ a: z.string(), b: z.enum(['x', 'y']).optional(), c: z.literal('z') }), forms],
    ['texts that become numbers', z.object({ a: z.coerce.number(), b: z.coerce.date() }), forms],
    // A name that a form has once is a text: the list of one that JSON can say is out of its reach
    ['lists of texts', z.object({ a: z.array(z.string()) }), forms],
    ['a text or a list', z.object({ a: z.union([z.string(), z.array(z.string())]) }), forms],
    ['a number', z.object({ a: z.number() }), ['application/json']],
    ['an object inside', z.object({ a: z.object({}) }), ['application/json']],
    ['a list', z.array(z.string()), ['application/json']],
    ['a file', z.object({ a: z.instanceof(File), b: z.string() }), ['multipart/form-data']],
    [
      'small files that may miss',
      z.object({
        a: z
          .instanceof(File)
          .refine((file: File) => file.size < 9)
          .optional(),
      }),
      ['multipart/form-data'],
    ],
    [
      'several files',
      z.object({ a: z.array(z.custom<File>((file) => file instanceof File && file.type === 'image/png')) }),
      ['multipart/form-data'],
    ],
    ['a number of the small z', smallObject({ a: smallNumber() }), ['application/json']],
    ['texts of zod', zod4.object({ a: zod4.string() }), forms],
    ['lists of numbers', z.object({ a: z.array(z.number()) }), ['application/json']],
    ['a file of one type', z.object({ a: z.file().mime('image/png') }), ['multipart/form-data']],
    ['a file of ours', z.object({ a: z.file().max(10).mime('image/png'), b: z.string() }), ['multipart/form-data']],
    ['files of ours, optional', z.object({ a: z.array(z.file()).optional() }), ['multipart/form-data']],
    ['a file of zod', zod4.object({ a: zod4.file() }), ['multipart/form-data']],
    ['a schema that holds itself', z.object({ a: z.lazy((): any => z.string()) }), forms],
    ['a text for a boolean', z.object({ a: z.stringbool() }), forms],
    ['a literal number', z.object({ a: z.literal(5) }), ['application/json']],
    ['numbers by name', z.object({ a: z.nativeEnum({ one: 1 }) }), ['application/json']],
    [
      'texts and numbers in two parts',
      z.object({ a: z.string() }).and(z.object({ b: z.number() })),
      ['application/json'],
    ],
    ['texts and a number of zod', zod4.object({ a: zod4.string(), b: zod4.number() }), ['application/json']],
    ['a file or a text', z.object({ a: z.union([z.file(), z.string()]) }), ['multipart/form-data']],
    ['a file with a name', z.object({ a: named('Upload', z.file()) }), ['multipart/form-data']],
  ])('a body of %s is sent as %j', async (_, schema, types) => {
    const { made, operation } = only('POST', '/', validateBody(schema))
    expect(Object.keys(operation.requestBody.content)).toEqual(types)
    await expectValid(made)
  })

  test.each([
    ['instanceof(File)', z.instanceof(File)],
    ['file()', z.file()],
  ])('a part that is a file says so: %s', (_, photo) => {
    const { operation } = only('POST', '/', validateBody(z.object({ photo })))
    expect(operation.requestBody.content['multipart/form-data'].schema.properties.photo).toEqual({
      type: 'string',
      format: 'binary',
      contentMediaType: 'application/octet-stream',
    })
  })

  test('OA6: what is coerced is described by what it becomes', () => {
    const query = z.object({ big: z.coerce.bigint(), at: z.coerce.date(), on: z.coerce.boolean() })
    const { operation } = only('GET', '/', validateQuery(query))
    expect(operation.parameters.map(({ schema }: { schema: object }) => schema)).toEqual([
      { type: 'integer' },
      { type: 'string', format: 'date-time' },
      { type: 'boolean' },
    ])
  })

  test('OA6: a header that two steps read is one parameter, required if one of them requires it', () => {
    const pass: Middleware<{}> = (_, next) => next()
    const parameters = [{ name: 'X-Key', in: 'header', required: true, schema: { type: 'string' } }]
    const asks = Object.assign(pass, { describes: { parameters } }) as Middleware<{}>
    const { operation } = only('GET', '/', asks, validateHeaders(z.object({ 'x-key': z.string().min(3).optional() })))
    expect(operation.parameters).toEqual([
      { name: 'x-key', in: 'header', required: true, schema: { type: 'string', minLength: 3 } },
    ])
  })

  test.each([
    ['first', [true, false]],
    ['last', [false, true]],
  ])('OA6: a header that one of two middleware requires, the %s, is required', (_, required) => {
    const readers = required.map((one): Middleware<{}> => {
      const parameters = [{ name: 'x-key', in: 'header', required: one, schema: { type: 'string' } }]
      return Object.assign<Middleware<{}>, object>((_, next) => next(), { describes: { parameters } })
    })
    const { operation } = only('GET', '/', ...(readers as [Middleware<{}>, Middleware<{}>]))
    expect(operation.parameters).toEqual([{ name: 'x-key', in: 'header', required: true, schema: { type: 'string' } }])
  })

  test('two validators of the body both hold', () => {
    const { operation } = only(
      'POST',
      '/',
      validateBody(z.object({ a: z.string() })),
      validateBody(z.object({ b: z.number() })),
    )
    expect(Object.keys(operation.requestBody.content)).toEqual(['application/json'])
    expect(operation.requestBody.content['application/json'].schema.allOf).toHaveLength(2)
  })

  test('schemes of middleware stand in components, and two of one kind have two names', async () => {
    const app = createApp()
      .get('/a', auth, apiKey({ verify, header: 'x-a' }), ok)
      .get('/b', apiKey({ verify, header: 'x-b' }), ok)
      .get('/c', auth, describeRoute({ security: [] }), ok)
    const made = document(app)
    expect(made.paths['/a'].get.security).toEqual([{ bearerAuth: [], apiKey: [] }])
    expect(made.paths['/b'].get.security).toEqual([{ apiKey2: [] }])
    expect(made.paths['/c'].get.security).toEqual([])
    expect(made.components.securitySchemes).toEqual({
      bearerAuth: { type: 'http', scheme: 'bearer' },
      apiKey: { type: 'apiKey', in: 'header', name: 'x-a' },
      apiKey2: { type: 'apiKey', in: 'header', name: 'x-b' },
    })
    await expectValid(made)
  })

  test('a declared scheme replaces that of middleware', () => {
    const mine = { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }
    const made = document(createApp().get('/', auth, ok), { securitySchemes: { bearerAuth: mine } })
    expect(made.components.securitySchemes).toEqual({ bearerAuth: mine })
  })

  test('errors are problem details where `problemJson` answers', async () => {
    const made = document(createApp({ ...problemJson() }).get('/', auth, ok))
    expect(Object.keys(made.paths['/'].get.responses['401'].content)).toEqual(['application/problem+json'])
    await expectValid(made)
  })

  test('where `problemJson` negotiates, both formats are described', async () => {
    const made = document(
      createApp({ ...problemJson({ negotiate: true }) }).post('/', auth, validateBody(z.object({ a: z.string() })), ok),
    )
    const { responses } = made.paths['/'].post
    for (const status of ['400', '401', '422'])
      expect(Object.keys(responses[status].content)).toEqual(['application/problem+json', 'application/json'])
    await expectValid(made)
  })

  test.each<[string, boolean, Record<string, boolean>]>([
    ['formats refusals as well: none is described', true, { 400: false, 401: false, 422: false }],
    ['formats what is thrown: refusals keep the default', false, { 400: false, 401: true, 422: true }],
  ])('an own `onError` that %s', async (_, formatsRefusals, described) => {
    const onError = () => Response.json({ ok: false })
    const options = formatsRefusals ? { onError, onRefusal: onError } : { onError }
    const made = document(createApp(options).post('/', auth, validateBody(z.object({ a: z.string() })), ok))
    const { responses } = made.paths['/'].post
    expect(
      Object.fromEntries(Object.keys(described).map((status) => [status, 'content' in responses[status]])),
    ).toEqual(described)
    expect(made.components.schemas).not.toHaveProperty('ProblemDetails')
    await expectValid(made)
  })

  test('deprecated operations are marked', () => {
    const { operation } = only('GET', '/', deprecation({ since: new Date(0) }))
    expect(operation.deprecated).toBe(true)
  })

  test('servers, security and tags go into the document', async () => {
    const more = {
      servers: [{ url: 'https://a.example' }],
      security: [{ x: [] }],
      tags: [{ name: 'users' }],
      securitySchemes: { x: { type: 'http', scheme: 'bearer' } },
    }
    const made = document(createApp().get('/', ok), more)
    expect(made).toMatchObject({
      openapi: '3.1.1',
      info,
      servers: more.servers,
      security: more.security,
      tags: more.tags,
    })
    await expectValid(made)
  })

  test.each<[string, any, string]>([
    ['no title', { info: { version: '1' } }, 'openapi: info: expected a title and a version'],
    ['an unknown option', { info, server: [] }, 'openapi: server: unknown option, did you mean "servers"?'],
    [
      'an unknown rule',
      { info, unrepresentable: 'no' },
      'openapi: unrepresentable: expected "throw" or "any", got "no"',
    ],
  ])('%s is refused', (_, options, message) => expect(() => openapi(blank, options)).toThrow(message))

  test.each([[{}], [undefined], [() => ok()]])('what has no routes is refused: %s', (app) => {
    expect(() => openapi(app as never, { info })).toThrow('openapi: app: expected an application or a plan, got')
  })

  test('a schema that JSON Schema cannot say is named with its place', () => {
    const app = createApp().post('/x', validateBody(z.object({ born: z.date() })), ok)
    expect(() => document(app)).toThrow(
      'openapi: POST /x: body: toJsonSchema: JSON Schema cannot express date() at "born"',
    )
    const { paths } = document(app, { unrepresentable: 'any' })
    expect(paths['/x'].post.requestBody.content['application/json'].schema.properties.born).toEqual({})
  })

  test('a schema of a library without JSON Schema is said, too', () => {
    const app = createApp().post('/x', validateBody({ safeParse: () => ({ success: true }) } as never), ok)
    expect(() => document(app)).toThrow(
      'openapi: POST /x: body: expected a schema of z, or one with ~standard.jsonSchema',
    )
    expect(document(app, { unrepresentable: 'any' }).paths['/x'].post.requestBody.content).toEqual({
      'application/json': { schema: {} },
    })
  })
})

describe('OA5: named schemas', () => {
  test('stand once in components, and are referred to', async () => {
    const User = named('User', z.object({ name: z.string() }))
    const app = createApp()
      .post('/users', validateBody(User), describeRoute({ responses: { 201: User, 200: z.array(User) } }), ok)
      .patch('/users', validateBody(User.partial()), ok)
    const made = document(app)
    const ref = { $ref: '#/components/schemas/User' }
    expect(made.components.schemas.User).toMatchObject({ type: 'object', required: ['name'] })
    expect(made.paths['/users'].post.requestBody.content['application/json'].schema).toEqual(ref)
    expect(made.paths['/users'].post.responses[201].content['application/json'].schema).toEqual(ref)
    expect(made.paths['/users'].post.responses[200].content['application/json'].schema).toEqual({
      type: 'array',
      items: ref,
    })
    expect(made.paths['/users'].patch.requestBody.content['application/json'].schema.type).toBe('object')
    await expectValid(made)
  })

  test('recursive ones refer to themselves', async () => {
    const Category: any = named(
      'Category',
      zod3.object({
        name: zod3.string(),
        get children(): any {
          return zod3.array(Category)
        },
      }),
    )
    const Tree: any = named(
      'Tree',
      z.lazy(() => z.object({ left: Tree.optional() })),
    )
    const made = document(createApp().post('/', validateBody(z.object({ a: Category, b: Tree })), ok))
    expect(made.components.schemas.Category.properties.children).toEqual({
      type: 'array',
      items: { $ref: '#/components/schemas/Category' },
    })
    expect(made.components.schemas.Tree.properties.left).toEqual({ $ref: '#/components/schemas/Tree' })
    await expectValid(made)
  })

  test('recursive ones without a name get one', async () => {
    const node = (): any => {
      const own: any = z.lazy(() => z.object({ next: own.optional() }))
      return own
    }
    const made = document(
      createApp()
        .post('/a', validateBody(z.object({ x: node() })), ok)
        .post('/b', validateBody(z.object({ x: node() })), ok),
    )
    expect(Object.keys(made.components.schemas).filter((name) => name.startsWith('Schema'))).toEqual([
      'Schema',
      'Schema2',
    ])
    await expectValid(made)
  })

  test('definitions of another library move to components', async () => {
    const Node: any = zod4.object({
      name: zod4.string(),
      get next() {
        return zod4.optional(Node)
      },
    })
    const User = zod4.object({ name: zod4.string() }).meta({ id: 'ZodUser' })
    const Person = named('Person', zod4.object({ user: User }))
    const made = document(
      createApp()
        .post('/', validateBody(Node), ok)
        .post('/b', validateBody(zod4.object({ user: User })), ok)
        .post('/c', validateBody(Person), ok),
    )
    expect(made.components.schemas.ZodUser).toMatchObject({ type: 'object' })
    expect(made.paths['/c'].post.requestBody.content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/Person',
    })
    await expectValid(made)
  })

  test.each<[string, () => unknown, string]>([
    ['a name with a space', () => named('a b', z.string()), 'named: name: expected letters'],
    ['what is not a schema', () => named('A', {} as z.AnySchema), 'named: schema: expected a schema, got {}'],
    ['nothing', () => named('A', undefined as never), 'named: schema: expected a schema, got undefined'],
    [
      'a second name',
      () => named('B', named('A', z.string())),
      'named: name: expected the name A, which this schema has, got "B"',
    ],
  ])('%s is refused', (_, make, message) => expect(make).toThrow(message))

  test('two schemas of one name are refused', () => {
    const app = createApp().post(
      '/',
      validateBody(z.object({ a: named('Same', z.string()), b: named('Same', z.number()) })),
      ok,
    )
    expect(() => document(app)).toThrow('two schemas have the name Same')
  })

  test.each([
    [
      'the same as that of the document, is shared',
      z.object({ error: z.string(), code: z.string().optional() }),
      ['Refusal'],
    ],
    ['another one, moves that of the document', z.object({ why: z.string() }), ['Refusal', 'Refusal2']],
  ])('a schema named Refusal, %s', (_, schema, names) => {
    const Refusal = named('Refusal', schema)
    const app = createApp()
      .use(rateLimiter({ max: 1, windowMs: 1000, keyGenerator: () => '' }))
      .get('/first', ok)
      .get('/second', describeRoute({ responses: { 404: Refusal } }), ok)
    const { paths, components } = document(app)
    const refOf = (path: string, status: number) =>
      paths[path]!.get!.responses[status]!.content!['application/json']!.schema!.$ref
    expect(Object.keys(components.schemas)).toEqual(names)
    expect(refOf('/second', 404)).toBe('#/components/schemas/Refusal')
    expect(refOf('/first', 429)).toBe(`#/components/schemas/${names.at(-1)}`)
    expect(components.schemas[names.at(-1)!]!.required).toEqual(['error'])
  })

  test.each(['constructor', '__proto__'])('the name %s is one like others', (name) => {
    const app = createApp()
      .post('/', validateBody(named(name, zod4.object({ a: zod4.string() }))), ok)
      .post('/b', validateBody(named(name + 2, z.object({ b: z.string() }))), ok)
    const { schemas } = document(app).components
    expect(Object.keys(schemas)).toContain(name)
    expect(Object.keys(schemas)).toContain(name + 2)
  })

  test('a document of an application made from a document adds no schema', () => {
    const other = named('Refusal', z.string())
    const same = named('Refusal2', z.object({ error: z.string(), code: z.string().optional() }))
    const app = createApp()
      .use(rateLimiter({ max: 1, windowMs: 1000, keyGenerator: () => '' }))
      .get('/', describeRoute({ responses: { 404: other, 409: same } }), ok)
    const { components, paths } = document(app)
    expect(Object.keys(components.schemas)).toEqual(['Refusal', 'Refusal2'])
    expect(paths['/'].get.responses[429].content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/Refusal2',
    })
  })

  test('a status that the route describes needs no schema of the document', () => {
    const app = createApp().post(
      '/',
      describeRoute({ responses: { 400: z.string(), 413: z.string(), 415: z.string(), 422: z.string() } }),
      validateBody(z.string()),
      ok,
    )
    expect(document(app).components.schemas).toEqual({})
  })
})

test('OA2: a described response without words of its own has the reason phrase of its status', () => {
  const named = [200, 201, 202, 204, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 406, 409, 410, 412, 503]
  const app = createApp().get(
    '/',
    describeRoute({ responses: Object.fromEntries(named.map((one) => [one, {}])) as Record<number, object> }),
    ok,
  )
  const { responses } = document(app).paths['/'].get
  expect(named.map((one) => responses[one].description)).toEqual(named.map((one) => STATUS_CODES[one]))
})

test('OA4: header fields without names add no parameter', () => {
  expect(only('GET', '/', validateHeaders(z.record(z.string(), z.string()))).operation.parameters).toBeUndefined()
})

test('OA4: a form may hold a field of any value; one that refers to itself without an end is JSON', () => {
  const Endless: any = z.lazy(() => z.union([Endless, z.number()])) // any: it refers to itself
  const typesOf = (field: any) =>
    Object.keys(only('POST', '/', validateBody(z.object({ field }))).operation.requestBody.content) // any: a schema
  expect(typesOf(z.unknown())).toEqual(['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'])
  expect(typesOf(Endless)).toEqual(['application/json'])
})

test('OA4: paths of the same length keep the names of their own parameters; a wildcard says what it may hold', () => {
  const app = createApp()
    .get('/users/all', ok)
    .get('/users/:id', ok)
    .get('/posts/:slug', ok)
    .get('/files/:drive/*rest', ok)
  const { paths } = document(app)
  expect(Object.keys(paths)).toEqual(['/users/all', '/users/{id}', '/posts/{slug}', '/files/{drive}/{rest}'])
  const [drive, rest] = paths['/files/{drive}/{rest}'].get.parameters
  expect(drive).toEqual({ name: 'drive', in: 'path', required: true, schema: { type: 'string' } })
  expect(rest).toMatchObject({ name: 'rest', description: expect.stringContaining('slashes') })
})

test('OA5: definitions of another library that refer to each other move under their own names', () => {
  const defs = {
    Leaf: { type: 'string' },
    Branch: { type: 'object', properties: { leaf: { $ref: '#/$defs/Leaf' }, up: { $ref: '#/$defs/Branch' } } },
  }
  const input = () => ({ type: 'object', properties: { at: { $ref: '#/$defs/Branch' } }, $defs: defs })
  const foreign: any = {
    '~standard': { version: 1, vendor: 'x', validate: () => ({ value: 1 }), jsonSchema: { input } },
  } // any: as of another library
  const { made, operation } = only('POST', '/', validateBody(foreign))
  const refs = { leaf: { $ref: '#/components/schemas/Leaf' }, up: { $ref: '#/components/schemas/Branch' } }
  expect(made.components.schemas).toMatchObject({ Leaf: defs.Leaf, Branch: { type: 'object', properties: refs } })
  expect(operation.requestBody.content['application/json'].schema.properties).toEqual({ at: refs.up })
})

test('OA4: a route of every method is described for those that bodies and forms use', () => {
  const { paths } = document(createApp().all('/x', ok))
  expect(Object.keys(paths['/x'])).toEqual(['get', 'post', 'put', 'patch', 'delete'])
})
