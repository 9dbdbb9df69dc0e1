import { afterEach, describe, expect, test, vi } from 'vitest'
import { createApp } from '../../src/app.ts'
import type { Middleware } from '../../src/internal/types/context.ts'
import { compose } from '../../src/kernel/compose.ts'
import { BaseContext } from '../../src/kernel/context.ts'
import { validateBody } from '../../src/middleware/validator.ts'
import { checkResponses } from '../../src/openapi/check-responses.ts'
import { describe as describeRoute, openapi } from '../../src/openapi.ts'
import { html } from '../../src/respond/html.ts'
import { json } from '../../src/respond/json.ts'
import { createRouter } from '../../src/router.ts'
import * as z from '../../src/z.ts'
import { doors } from '../harness.ts'
import { expectValid } from './validity.ts'

const User = z.object({ name: z.string(), role: z.enum(['user', 'admin']).optional() })

afterEach(() => vi.unstubAllEnvs())

describe.each(doors)('OA2: describe through %s', (_, door) => {
  test('it changes nothing in the answer, the state or an error', async () => {
    const fetch = door({
      use: [describeRoute({})],
      routes: [
        ['GET', '/', describeRoute({ tags: ['a'] }), (ctx) => json({ state: ctx.state })],
        [
          'GET',
          '/throws',
          describeRoute({}),
          () => {
            throw new Error('x')
          },
        ],
      ],
    })
    vi.spyOn(console, 'error').mockImplementation(() => {})
    for (let round = 0; round < 3; round++) {
      expect(await (await fetch('/')).json()).toEqual({ state: {} })
      expect((await fetch('/throws')).status).toBe(500)
    }
    vi.restoreAllMocks()
  })
})

describe('OA2: a described route', () => {
  test('is listed with the step', () => {
    const app = createApp().get('/', describeRoute({ summary: 'x' }), () => json({}))
    expect(app.routes()[0]!.middleware).toEqual(['describe'])
  })

  test('the step passes a request on in a chain without an application', async () => {
    expect(
      await (
        await compose([describeRoute({})], () => json(1))(
          new BaseContext(
            new Request('http://h/'),
            'GET',
            '/',
            { basePath: '', router: createRouter([]) },
            undefined,
            undefined,
          ),
        )
      ).json(),
    ).toBe(1)
  })

  test('everything that it says is in the document', async () => {
    const app = createApp().post(
      '/users',
      describeRoute({
        summary: 'Make a user',
        description: 'More',
        tags: ['users'],
        operationId: 'makeUser',
        deprecated: true,
        security: [{ key: [] }],
        request: { body: User, query: z.object({ dry: z.stringbool().optional() }) },
        responses: {
          201: { description: 'Made', schema: User, headers: { location: { schema: { type: 'string' } } } },
          404: User,
          '5XX': { description: 'Broken' },
          204: {},
          default: { schema: z.string(), contentType: 'text/plain' },
        },
      }),
      () => json({}),
    )
    const made = openapi(app, {
      info: { title: 'x', version: '1' },
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
    })
    const { post } = made.paths['/users']!
    expect(post).toMatchObject({
      summary: 'Make a user',
      description: 'More',
      tags: ['users'],
      operationId: 'makeUser',
      deprecated: true,
      security: [{ key: [] }],
      parameters: [{ name: 'dry', in: 'query' }],
      requestBody: { content: { 'application/json': {}, 'multipart/form-data': {} } },
    })
    expect(post!.responses['201']).toMatchObject({
      description: 'Made',
      content: { 'application/json': {} },
      headers: {},
    })
    expect(post!.responses['204']).toEqual({ description: 'No Content' })
    expect(post!.responses.default).toEqual({
      description: 'Status default',
      content: { 'text/plain': { schema: { type: 'string' } } },
    })
    await expectValid(made)
  })

  test('hidden routes are not in the document', () => {
    const app = createApp().get('/', describeRoute({ hidden: true }), () => json({}))
    expect(openapi(app, { info: { title: 'x', version: '1' } }).paths).toEqual({})
  })

  test.each<[string, any, any, string]>([
    ['an unknown option', { sumary: '' }, {}, 'describe: sumary: unknown option, did you mean "summary"?'],
    ['a summary of a wrong type', { summary: 1 }, {}, 'describe: summary: expected a string, got 1'],
    [
      'a status that does not exist',
      { responses: { 600: User } },
      {},
      'describe: responses: 600: expected a status, such as 200 or 2XX',
    ],
    ['an unknown part of a request', { request: { form: User } }, {}, 'describe: request: form: unknown option'],
    ['a body that is no schema', { request: { body: {} } }, {}, 'describe: request: body: expected a schema, got {}'],
    ['an unknown member of an answer', { responses: { 200: { schem: User } } }, {}, 'did you mean "schema"?'],
    ['an unknown way to check', {}, { chek: true }, 'describe: chek: unknown option, did you mean "check"?'],
  ])('%s is refused', (_, options, check, message) => expect(() => describeRoute(options, check)).toThrow(message))
})

/** Ask a route whose answers are described, and say what was found. */
const answered = async (
  response: () => Response,
  responses: object,
  { way = 'describe', nodeEnv = 'test' }: { way?: string; nodeEnv?: string } = {},
): Promise<{ found: string[]; body: string }> => {
  vi.stubEnv('NODE_ENV', nodeEnv)
  const found: string[] = []
  const warn = vi.spyOn(console, 'warn').mockImplementation((line) => void found.push(line))
  const app = createApp()
  if (way === 'checkResponses') app.use(checkResponses())
  const options = way === 'describe' ? { check: true } : {}
  app.get('/x', describeRoute({ responses } as never, options), response)
  let body = ''
  // Twice: the step of a route that is not checked leaves with the first request
  for (let round = 0; round < 2; round++) body = await (await app.request('/x')).text()
  warn.mockRestore()
  expect(found.length % 2).toBe(0)
  return { found: found.slice(0, found.length / 2), body }
}

describe.each(['describe', 'checkResponses'])('OA3: answers are checked by %s', (way) => {
  const problems = async (response: () => Response, responses: object): Promise<readonly string[]> =>
    (await answered(response, responses, { way })).found.map((line) => line.replace(/^.* as described: /, ''))

  test.each<[string, () => Response, object, readonly string[]]>([
    ['fits', () => json({ name: 'Ada' }), { 200: User }, []],
    ['has one member too many, which clients may ignore', () => json({ name: 'Ada', age: 1 }), { 200: User }, []],
    ['lacks a member', () => json({}), { 200: User }, ['name: Required']],
    ['has a wrong member', () => json({ name: 1 }), { 200: User }, ['name: Expected string, received number']],
    [
      'has a value that is not told',
      () => json({ name: 'x', role: 'secret' }),
      { 200: User },
      ["role: Invalid enum value. Expected 'user' | 'admin', received '…'"],
    ],
    ['has another status', () => json({}, 201), { 200: User }, ['it is not described']],
    ['has another status, and that range is described', () => json({}, 201), { '2XX': User }, ['name: Required']],
    ['has another status, and the rest is described', () => json({}, 201), { default: User }, ['name: Required']],
    ['is an error without a description', () => json({}, 404), { 200: User }, []],
    ['is an error that was described', () => json({}, 404), { 404: User }, ['name: Required']],
    ['is HTML', () => html('<p>'), { 200: User }, ['expected JSON, got text/html']],
    ['has no type', () => new Response(null), { 200: User }, ['expected JSON, got no content type']],
    ['is HTML, as described', () => html('<p>'), { 200: { schema: User, contentType: 'text/html' } }, []],
    [
      'is broken JSON',
      () => new Response('{', { headers: { 'content-type': 'application/json' } }),
      { 200: User },
      [expect.stringContaining('JSON')],
    ],
    [
      'is problem details',
      () => new Response('{"name":"x"}', { headers: { 'content-type': 'application/problem+json' } }),
      { 200: User },
      [],
    ],
    ['is described without a schema', () => json({}), { 200: { description: 'x' } }, []],
    ['is not described at all', () => json({}), {}, []],
  ])('an answer that %s', async (_, response, responses, expected) => {
    expect(await problems(response, responses)).toEqual(expected)
  })

  test('the response is not changed, and a line is printed', async () => {
    const { found, body } = await answered(() => json({}), { 200: User }, { way })
    expect(body).toBe('{}')
    expect(found).toEqual(['GET /x: 200 is not as described: name: Required'])
  })

  test.each(['production', '', 'staging'])('never where NODE_ENV is %j', async (nodeEnv) => {
    expect(await answered(() => json({}), { 200: User }, { way, nodeEnv })).toEqual({ found: [], body: '{}' })
  })

  test('in development too', async () => {
    expect((await answered(() => json({}), { 200: User }, { way, nodeEnv: 'development' })).found).toHaveLength(1)
  })
})

test('OA3: the refusal of a validator in front of the step is not looked at', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const check: Middleware<{}> = describeRoute({ responses: { 201: User } }, { check: true })
  const app = createApp().post('/', validateBody(User), check, () => json({ name: 'x' }, 201))
  expect(
    (await app.request('/', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })).status,
  ).toBe(422)
  expect(warn.mock.calls).toEqual([])
  warn.mockRestore()
})
