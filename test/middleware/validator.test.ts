import { describe, expect, expectTypeOf, test } from 'vitest'
import * as zod4 from 'zod'
import { z as zod3 } from 'zod/v3'
import { type Issue, ValidationError } from '../../src/internal/validation-error.ts'
import { bodyParser } from '../../src/middleware/body-parser.ts'
import {
  type Validated,
  validateBody,
  validateHeaders,
  validateParams,
  validateQuery,
  validator,
} from '../../src/middleware/validator.ts'
import { json } from '../../src/respond/json.ts'
import { de } from '../../src/z/locales/de.ts'
import { fr } from '../../src/z/locales/fr.ts'
import * as z from '../../src/z.ts'
import { runs } from '../fuzz.ts'
import { doors } from '../harness.ts'

const User = zod3.object({ name: zod3.string(), age: zod3.number().int() })

const post = (body: unknown, type = 'application/json', method = 'POST'): Request =>
  new Request('http://localhost/', {
    method,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': type },
  })

describe.each(doors)('%s', (_, door) => {
  const ask = async (step: any, request: Request | string, path = '/', more: readonly any[] = []) => {
    const fetch = door({
      use: more,
      routes: [['*', path, step, (ctx) => json({ validated: ctx.state.validated, valid: ctx.state.valid })]],
    })
    const response = await fetch(request)
    return { status: response.status, body: await response.json() }
  }

  describe('body', () => {
    const user = { name: 'Ada', age: 36 }

    test.each<[string, Request]>([
      ['JSON', post(user)],
      ['+json', post(user, 'application/vnd.user+json')],
    ])('MV1, MV2, MV4: %s without a body parser', async (_, request) => {
      expect(await ask(validateBody(User), request)).toEqual({
        status: 200,
        body: { validated: user, valid: { body: user } },
      })
    })

    test.each([
      ['urlencoded', new URLSearchParams('name=Ada&tag=a&tag=b')],
      [
        'multipart',
        (() => {
          const form = new FormData()
          for (const [name, value] of [
            ['name', 'Ada'],
            ['tag', 'a'],
            ['tag', 'b'],
          ])
            form.append(name!, value!)
          return form
        })(),
      ],
    ])('MV4: a form, %s, without a body parser', async (_, body) => {
      const schema = zod3.object({ name: zod3.string(), tag: zod3.array(zod3.string()) })
      const { status, body: answer } = await ask(
        validateBody(schema),
        new Request('http://localhost/', { method: 'POST', body }),
      )
      expect([status, answer]).toMatchObject([200, { validated: { name: 'Ada', tag: ['a', 'b'] } }])
    })

    test('MV1: the source is the body where none is named', async () => {
      expect(await ask(validator({ schema: User }), post(user))).toMatchObject({
        status: 200,
        body: { validated: user },
      })
    })

    test('MV4: what a body parser put there is looked at', async () => {
      const text = new Request('http://localhost/', {
        method: 'POST',
        body: 'hello',
        headers: { 'content-type': 'text/plain' },
      })
      expect(
        await ask(validateBody(zod3.string().toUpperCase()), text, '/', [bodyParser({ text: true })]),
      ).toMatchObject({ status: 200, body: { validated: 'HELLO' } })
    })

    test.each(['GET', 'HEAD', 'OPTIONS'])('MV4: %s has none and passes', async (method) => {
      const fetch = door({
        use: [validateBody(User)],
        routes: [['*', '/', (ctx) => json({ seen: ctx.state.validated ?? null })]],
      })
      expect((await fetch(new Request('http://localhost/', { method }))).status).toBe(200)
    })

    test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'QUERY'])('MV4: %s is validated', async (method) => {
      expect((await ask(validateBody(User), post({}, 'application/json', method))).status).toBe(422)
    })

    test.each<[string, Request, number, string]>([
      ['malformed JSON', post('{"name":'), 400, 'Invalid JSON'],
      ['no JSON at all', post(''), 400, 'Invalid JSON'],
      ['a malformed form', post('x', 'multipart/form-data; boundary=b'), 400, 'Invalid form'],
      ['plain text', post('x', 'text/plain'), 415, 'Unsupported Media Type'],
      ['a type that breaks the grammar', post('{}', 'application/json, text/plain'), 415, 'Unsupported Media Type'],
    ])('MV4, E8: %s', async (_, request, status, error) => {
      expect(await ask(validateBody(User), request)).toEqual({ status, body: { error } })
    })

    test('X12: the body can be read again after the validator', async () => {
      const fetch = door({
        routes: [
          [
            'POST',
            '/',
            validateBody(User),
            async (ctx) => json([await ctx.json(), await ctx.request.json(), await ctx.text()]),
          ],
        ],
      })
      expect(await (await fetch(post(user))).json()).toEqual([user, user, JSON.stringify(user)])
    })

    test('X13: validate sees the same body as the validator', async () => {
      const fetch = door({
        routes: [
          ['POST', '/', validateBody(User), async (ctx) => json([await ctx.validate(User), ctx.state.validated])],
        ],
      })
      expect(await (await fetch(post({ ...user, more: 1 }))).json()).toEqual([user, user])
    })
  })

  describe('other sources', () => {
    test.each([
      ['strings', '?page=2&q=x', zod3.object({ page: zod3.coerce.number(), q: zod3.string() }), { page: 2, q: 'x' }],
      ['repeated names as lists', '?tag=a&tag=b', zod3.object({ tag: zod3.array(zod3.string()) }), { tag: ['a', 'b'] }],
      ['nothing', '', zod3.object({ q: zod3.string().default('all') }), { q: 'all' }],
      ['names of Object.prototype', '?__proto__=1&constructor=2', zod3.record(zod3.string()), { constructor: '2' }],
    ])('MV5: the query gives %s', async (_, query, schema, expected) => {
      expect(await ask(validateQuery(schema as never), `/${query}`)).toEqual({
        status: 200,
        body: { validated: expected, valid: { query: expected } },
      })
      expect(({} as Record<string, unknown>)['1']).toBeUndefined()
    })

    test('MV6: params are typed in validated and stay strings in ctx.params', async () => {
      const fetch = door({
        routes: [
          [
            'GET',
            '/users/:id',
            validateParams(zod3.object({ id: zod3.coerce.number() })),
            (ctx) => json([ctx.state.validated, ctx.params]),
          ],
        ],
      })
      expect(await (await fetch('/users/7')).json()).toEqual([{ id: 7 }, { id: '7' }])
      expect((await fetch('/users/seven')).status).toBe(422)
    })

    test('MV6: params are there for global middleware', async () => {
      const fetch = door({
        use: [validateParams(zod3.object({ id: zod3.coerce.number() }))],
        routes: [['GET', '/users/:id', (ctx) => json(ctx.state.valid)]],
      })
      expect(await (await fetch('/users/7')).json()).toEqual({ params: { id: 7 } })
    })

    test('MV7: header names are lower case', async () => {
      const schema = zod3.object({ 'x-api-version': zod3.coerce.number() })
      const request = new Request('http://localhost/', { headers: { 'X-Api-Version': '3' } })
      expect(await ask(validateHeaders(schema), request)).toMatchObject({
        status: 200,
        body: { valid: { headers: { 'x-api-version': 3 } } },
      })
    })

    test('MV2: several validators stand side by side, the last one in validated', async () => {
      const fetch = door({
        routes: [
          [
            'POST',
            '/:id',
            validateParams(zod3.object({ id: zod3.string() })),
            validateQuery(zod3.object({ q: zod3.string() })),
            validateBody(User),
            (ctx) => json(ctx.state),
          ],
        ],
      })
      const request = new Request('http://localhost/1?q=x', post({ name: 'Ada', age: 36 }))
      const body = { name: 'Ada', age: 36 }
      expect(await (await fetch(request)).json()).toEqual({
        validated: body,
        valid: { params: { id: '1' }, query: { q: 'x' }, body },
      })
    })
  })

  describe('failure', () => {
    const issues = [
      {
        path: ['name'],
        message: 'Expected string, received number',
        code: 'invalid_type',
        expected: 'string',
        received: 'number',
      },
      { path: ['age'], message: 'Required', code: 'invalid_type', expected: 'number', received: 'undefined' },
    ]

    test('MV3, E1: 422 with the issues', async () => {
      const found = issues.map((issue) => ({ ...issue, fatal: true })) as Issue[]
      const schema = { safeParse: () => ({ success: false, error: new ValidationError(found) }) }
      expect(await ask(validateBody(schema), post({ name: 1 }))).toEqual({
        status: 422,
        body: { error: 'Validation failed', issues },
      })
    })

    test.each([
      ['zod 3', zod3.object({ age: zod3.number() })],
      ['zod 4', zod4.object({ age: zod4.number('Required') })],
      [
        'zod 3 without Standard Schema',
        { safeParse: (value: unknown) => zod3.object({ age: zod3.number() }).safeParse(value) },
      ],
    ])('MV3: path, message, code and what was expected of %s', async (_, schema) => {
      const { status, body } = await ask(validateBody(schema), post({}))
      expect([status, body]).toMatchObject([
        422,
        {
          error: 'Validation failed',
          issues: [{ path: ['age'], message: 'Required', code: 'invalid_type', expected: 'number' }],
        },
      ])
    })

    test.each<[string, any, Request | string]>([
      ['query', validateQuery(zod3.object({ q: zod3.string() })), '/'],
      ['headers', validateHeaders(zod3.object({ q: zod3.string() })), '/'],
      ['params', validateParams(zod3.object({ q: zod3.string() })), '/'],
    ])('MV3: 422 for the %s too', async (_, step, request) => {
      const { status, body } = await ask(step, request)
      expect([status, body]).toMatchObject([
        422,
        { error: 'Validation failed', issues: [{ path: ['q'], message: 'Required' }] },
      ])
    })

    test('E2: status and message are options', async () => {
      const step = validateQuery(zod3.object({ q: zod3.string() }), {
        status: 400,
        message: 'Invalid query parameters',
      })
      expect(await ask(step, '/')).toMatchObject({
        status: 400,
        body: { error: 'Invalid query parameters', issues: [{ path: ['q'] }] },
      })
    })

    test('MV3: onError makes the answer', async () => {
      const step = validateBody(User, {
        onError: async (found, ctx) => json({ count: found.length, at: ctx.path }, 418),
      })
      expect(await ask(step, post({}))).toEqual({ status: 418, body: { count: 2, at: '/' } })
    })

    test('MV3: the handler does not run', async () => {
      const fetch = door({
        routes: [
          [
            'POST',
            '/',
            validateBody(User),
            () => {
              throw new Error('ran')
            },
          ],
        ],
      })
      expect((await fetch(post({}))).status).toBe(422)
    })

    test.each<[string, any]>([
      ['ctx.validate', (schema: any) => async (ctx: any) => json(await ctx.validate(schema))],
      ['validateBody', validateBody],
    ])('MV3: an error of safeParse alone is a refusal, not a 500, through %s', async (_, step) => {
      const schema = (error: unknown): any => ({ safeParse: () => ({ success: false, error }) })
      const found = { code: 'invalid_type', path: ['a'], message: 'no', expected: 'string', received: 'number' }
      for (const [error, expected] of [
        [Object.assign(new Error('x'), { issues: [found] }), found],
        [zod3.object({ a: zod3.string({ message: 'no' }) }).safeParse({ a: 1 }).error, found],
        [new Error('no'), { code: 'custom', path: [], message: 'no' }],
        [
          { issues: [{ ...found, code: 'custom', received: 'hunter2' }] },
          { ...found, code: 'custom', received: undefined },
        ],
      ] as const) {
        const { status, body } = await ask(step(schema(error)), post({ a: 1 }))
        expect([status, body]).toEqual([422, { error: 'Validation failed', issues: [expected] }])
      }
    })

    test.each<[string, any]>([
      ['zod 3', zod3.object({ pin: zod3.literal('1234'), kind: zod3.enum(['a']) })],
      ['zod 4', zod4.object({ pin: zod4.literal('1234'), kind: zod4.enum(['a']) })],
      [
        'a schema that reports the input',
        {
          '~standard': {
            version: 1,
            vendor: 'x',
            validate: (input: unknown) => ({
              issues: [{ message: 'no', input, received: JSON.stringify(input), value: input }],
            }),
          },
        },
      ],
    ])('MV9: the value of a field is not repeated as data, %s', async (_, schema) => {
      const { body } = await ask(validateBody(schema), post({ pin: 'hunter2', kind: 'a' }))
      expect(JSON.stringify(body)).not.toContain('hunter2')
    })

    test.each([
      ['de', de],
      ['fr', fr],
    ])('MV9, F18: the messages of the locale %s do not repeat the value of a field', async (_, locale) => {
      const schema = z.object({ pin: z.enum(['1234']), kind: z.nativeEnum({ a: 1 }), on: z.stringbool() })
      const { body } = await ask(
        validateBody({ safeParse: (value: unknown) => schema.safeParse(value, { errorMap: locale }) }),
        post({ pin: 'hunter2', kind: 4321, on: 'hunter2' }),
      )
      expect(body.issues).toHaveLength(3)
      expect(JSON.stringify(body)).not.toMatch(/hunter2|4321/)
    })

    test('a body of thousands of wrong items makes a small answer', async () => {
      const { status, body } = await ask(
        validateBody(zod3.array(zod3.string())),
        post(Array.from({ length: runs(200_000) }, () => 1)),
      )
      expect([status, body.issues.length]).toEqual([422, 100])
    })

    test('an error of the schema itself is a 500, not a 422', async () => {
      const schema = {
        safeParse: () => {
          throw new Error('broken')
        },
      }
      expect((await ask(validateBody(schema), post({}))).status).toBe(500)
    })
  })

  test.each<[string, any]>([
    ['Standard Schema', { '~standard': { version: 1, vendor: 'x', validate: (value: unknown) => ({ value }) } }],
    [
      'an asynchronous one',
      { '~standard': { version: 1, vendor: 'x', validate: async (value: unknown) => ({ value }) } },
    ],
    ['safeParse', { safeParse: (data: unknown) => ({ success: true, data }) }],
    ['zod 3', zod3.object({ a: zod3.number() })],
    ['zod 4', zod4.object({ a: zod4.number() })],
    ['zod 4 with an asynchronous check', zod4.object({ a: zod4.number() }).refine(async () => true)],
  ])('MV8: %s', async (_, schema) => {
    expect(await ask(validateBody(schema), post({ a: 1 }))).toMatchObject({
      status: 200,
      body: { validated: { a: 1 } },
    })
  })

  test('MV8: an asynchronous check can fail', async () => {
    const schema = zod4.object({ a: zod4.number() }).refine(async () => false, 'taken')
    expect(await ask(validateBody(schema), post({ a: 1 }))).toMatchObject({
      status: 422,
      body: { issues: [{ message: 'taken' }] },
    })
  })
})

describe('made', () => {
  test.each<[string, any, new (message: string) => Error, string]>([
    ['no schema', {}, TypeError, 'validator: schema: expected a schema, got undefined'],
    [
      'something else',
      { schema: { validate: 1 } },
      TypeError,
      'validator: schema: expected a schema, got {"validate":1}',
    ],
    [
      'an unknown source',
      { schema: User, source: 'cookies' },
      TypeError,
      'validator: source: expected one of body, query, params, headers, got "cookies"',
    ],
    [
      'a name of Object.prototype',
      { schema: User, source: 'constructor' },
      TypeError,
      'validator: source: expected one of body, query, params, headers, got "constructor"',
    ],
    [
      'a status that is no error',
      { schema: User, status: 200 },
      TypeError,
      'validator: status: expected a status from 400 to 599, got 200',
    ],
    [
      'a status that is no number',
      { schema: User, status: Number.NaN },
      TypeError,
      'validator: status: expected a status from 400 to 599, got NaN',
    ],
  ])('%s is refused', (_, options, kind, message) => {
    expect(() => validator(options)).toThrow(new kind(message))
  })

  test('the type of the schema reaches ctx.state', () => {
    expectTypeOf<Validated<typeof User, 'body'>['validated']>().toEqualTypeOf<{ name: string; age: number }>()
    expectTypeOf<Validated<typeof User, 'query'>['valid']>().toEqualTypeOf<{ query: { name: string; age: number } }>()
  })
})
