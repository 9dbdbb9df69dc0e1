import { describe, expect, expectTypeOf, test } from 'vitest'
import * as zod4 from 'zod'
import { z as zod3 } from 'zod/v3'
import { type Issue, ValidationError } from '../../src/errors/validation-error.ts'
import { bodyParser } from '../../src/middleware/body-parser.ts'
import { language } from '../../src/middleware/language.ts'
import {
  type Validated,
  validateBody,
  validateHeaders,
  validateParams,
  validateQuery,
  validator,
} from '../../src/middleware/validator.ts'
import { validate } from '../../src/pipe/validate.ts'
import { readBytes } from '../../src/read/bytes.ts'
import { readJson } from '../../src/read/json.ts'
import { readText } from '../../src/read/text.ts'
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

  test.each([
    ['GET', 200],
    ['HEAD', 200],
    ['OPTIONS', 200],
    ['OPTIONSX', 422],
    ['XGET', 422],
  ])('X13: a validator of the body on %s, which has none, gives %d', async (method, status) => {
    const fetch = door({ routes: [[method, '/', validateBody(z.object({ name: z.string() })), () => json(1)]] })
    const init = method.includes('X') ? { body: '{}', headers: { 'content-type': 'application/json' } } : {}
    expect((await fetch(new Request('http://localhost/', { method, ...init }))).status).toBe(status)
  })

  describe('NA16: a validator of one kind of body', () => {
    const Name = z.object({ name: z.string() })
    const form = new FormData()
    form.set('name', 'Ada')
    const bodies: [string, () => Request][] = [
      ['JSON', () => post({ name: 'Ada' })],
      ['+json', () => post({ name: 'Ada' }, 'application/vnd.user+json; charset=utf-8')],
      ['urlencoded', () => post('name=Ada', 'application/x-www-form-urlencoded')],
      ['multipart', () => new Request('http://localhost/', { method: 'POST', body: form })],
      ['text', () => post({ name: 'Ada' }, 'text/plain')],
      ['no type', () => new Request('http://localhost/', { method: 'POST', body: new Uint8Array(2) })],
    ]
    test.each([
      ['json', [200, 200, 415, 415, 415, 415], 'application/json'],
      ['form', [415, 415, 200, 200, 415, 415], 'application/x-www-form-urlencoded, multipart/form-data'],
      [undefined, [200, 200, 200, 200, 415, 415], null],
    ] as const)('%s', async (type, statuses, accept) => {
      for (const use of [[], [bodyParser()]]) {
        const fetch = door({
          use,
          routes: [['POST', '/', validateBody(Name, { type } as object), (ctx) => json(ctx.state.validated)]],
        })
        const answers = await Promise.all(bodies.map(([, make]) => fetch(make())))
        expect(answers.map(({ status }) => status)).toEqual(statuses)
        if (!type) continue
        for (const answer of answers.filter(({ status }) => status === 415))
          expect({ accept: answer.headers.get('accept'), body: await answer.json() }).toEqual({
            accept,
            body: { error: 'Unsupported Media Type' },
          })
      }
    })
  })

  test('NA16: a validator of JSON takes the body that middleware has changed', async () => {
    const changes = (ctx: any, next: any) => {
      ctx.state.body = { name: 'changed' }
      return next()
    }
    const validator = validateBody(z.object({ name: z.string() }), { type: 'json' })
    const fetch = door({
      use: [changes],
      routes: [['POST', '/', validator, (ctx) => json(ctx.state.validated)]],
    })
    expect(await (await fetch(post({ name: 'sent' }))).json()).toEqual({ name: 'changed' })
  })

  describe('NG2: a validator of JSON reads by the platform where a server has enforced the length', () => {
    const Name = z.object({ name: z.string() })
    /** A request as workerd's server makes it. On Node no request of a platform is one of a server. */
    const served = (body: string, length = `${body.length}`): Request => {
      const headers = { 'content-type': 'application/json', 'content-length': length }
      const request = new Request('http://localhost/', { method: 'POST', body, headers, redirect: 'manual' })
      return Object.defineProperty(request, 'cf', { value: {} })
    }
    const run = async (request: Request, handler: (ctx: any) => unknown, more: readonly any[] = []) => {
      const steps = [...more, validateBody(Name, { type: 'json' })]
      const fetch = door({
        routes: [['POST', '/', ...steps, async (ctx: any) => json(await handler(ctx))] as never],
      })
      const response = await fetch(request)
      return { status: response.status, body: await response.json() }
    }
    const hasBytes = async (read: Promise<unknown>): Promise<unknown> =>
      read.then(
        () => true,
        (error: unknown) => error instanceof TypeError && /ctx\.json\(\)/.test(error.message) && 'refused',
      )
    const isServed = (request: Request): boolean => 'cf' in request && '~json' in request

    test('later readers get the same value, and bytes are there or refused with what to write', async () => {
      const request = served('{"name":"Ada","more":1}')
      const outcome = await run(request, async (ctx) => [
        ctx.state.validated,
        await readJson(ctx),
        await readJson(ctx),
        await validate(ctx, z.object({ more: z.number() })),
        await hasBytes(readText(ctx)),
        await hasBytes(readBytes(ctx)),
      ])
      const bytes = isServed(request) ? 'refused' : true
      const all = { name: 'Ada', more: 1 }
      expect(outcome).toEqual({ status: 200, body: [{ name: 'Ada' }, all, all, { more: 1 }, bytes, bytes] })
    })

    test('bytes that somebody has read before stay', async () => {
      const request = served('{"name":"Ada"}')
      const before = async (ctx: any, next: () => unknown) => {
        await readText(ctx)
        return next()
      }
      expect(await run(request, (ctx) => readText(ctx), [before])).toEqual({ status: 200, body: '{"name":"Ada"}' })
      expect(isServed(request)).toBe(false)
    })

    test.each([
      ['malformed JSON', '{"name":', undefined, 400, { error: 'Invalid JSON' }],
      ['no body', '', undefined, 400, { error: 'Invalid JSON' }],
      ['a length over the limit', '{"name":"Ada"}', '1048577', 413, { error: 'Content Too Large' }],
    ])('%s is refused', async (_, body, length, status, answer) => {
      expect(await run(served(body, length), () => 'never')).toEqual({ status, body: answer })
    })

    test('a length that is not there keeps the bytes', async () => {
      const request = Object.defineProperty(post({ name: 'Ada' }), 'cf', { value: {} })
      expect(await run(request, (ctx) => readText(ctx))).toEqual({ status: 200, body: '{"name":"Ada"}' })
      expect(isServed(request)).toBe(false)
    })
  })

  describe('NA18: messages in the language of the request', () => {
    const Short = z.object({ name: z.string().min(2), age: z.coerce.number() })
    const AsyncShort = z.toAsync(Short.refine(async () => true))
    const messagesOf = async (
      schema: any,
      accepted: string,
      locales: any = { de, fr },
      languages = ['en', 'de', 'fr-CH'],
    ) => {
      const fetch = door({
        use: languages.length ? [language({ supported: languages })] : [],
        routes: [
          ['POST', '/', validateBody(schema, { locales }), () => json(1)],
          ['GET', '/', validateQuery(schema, { locales }), () => json(1)],
        ],
      })
      const headers = { 'accept-language': accepted, 'content-type': 'application/json' }
      const got = await fetch(new Request('http://localhost/?name=x&age=1', { headers }))
      const posted = await fetch(
        new Request('http://localhost/', { method: 'POST', body: '{"name":"x","age":1}', headers }),
      )
      const [one, other] = [await got.json(), await posted.json()].map(({ issues }) => issues[0].message)
      expect(other).toBe(one)
      return one
    }
    const english = 'String must contain at least 2 character(s)'
    const said = (errorMap: typeof de) => Short.safeParse({ name: 'x', age: 1 }, { errorMap }).error!.issues[0]!.message
    test.each([
      ['the locale of the language', 'de', said(de)],
      ['the locale of a language with a region', 'fr-CH', said(fr)],
      ['a language without a locale', 'en', english],
    ])('%s', async (_, accepted, expected) => {
      expect({ sync: await messagesOf(Short, accepted), async: await messagesOf(AsyncShort, accepted) }).toEqual({
        sync: expected,
        async: expected,
      })
    })
    test('without the middleware, without locales, and for schemas of others, the messages of the schema', async () => {
      expect({
        noMiddleware: await messagesOf(Short, 'de', { de }, []),
        noLocales: await messagesOf(Short, 'de', {}),
        prototype: await messagesOf(Short, 'de', Object.create({ de })),
        zod: await messagesOf(zod3.object({ name: zod3.string().min(2) }), 'de'),
      }).toEqual({ noMiddleware: english, noLocales: english, prototype: english, zod: english })
    })
  })

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
      expect({ status, body: answer }).toMatchObject({
        status: 200,
        body: { validated: { name: 'Ada', tag: ['a', 'b'] } },
      })
    })

    const tags = z.array(z.string())
    const one = { tag: ['a'] }
    const kinds = z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('k'), tag: tags }),
      z.object({ kind: z.literal('l'), tag: z.string() }),
    ])
    test.each<[string, any, string, unknown]>([
      ['a list', z.object({ tag: tags }), 'tag=a', one],
      ['two values', z.object({ tag: tags }), 'tag=a&tag=b', { tag: ['a', 'b'] }],
      ['a tuple', z.object({ tag: z.tuple([z.string()]) }), 'tag=a', one],
      ['an optional list', z.object({ tag: tags.optional() }), 'tag=a', one],
      ['a list with a default', z.object({ tag: tags.default([]) }), 'tag=a', one],
      ['a list with a default that is absent', z.object({ tag: tags.default([]) }), '', { tag: [] }],
      ['a nullish list', z.object({ tag: tags.nullish() }), 'tag=a', one],
      ['a refined list', z.object({ tag: tags.refine((all) => all.length) }), 'tag=a', one],
      ['a transformed list', z.object({ tag: tags.transform((all) => all.length) }), 'tag=a', { tag: 1 }],
      [
        'a list that goes on to another',
        z.object({ tag: tags.pipe(z.array(z.coerce.number())) }),
        'tag=1',
        { tag: [1] },
      ],
      ['a list with a fallback', z.object({ tag: tags.catch([]) }), 'tag=a', one],
      ['a lazy list', z.object({ tag: z.lazy(() => tags) }), 'tag=a', one],
      ['one of two lists', z.object({ tag: z.union([z.array(z.number()), tags]) }), 'tag=a', one],
      ['one of two lists, or nothing', z.object({ tag: z.union([z.undefined(), tags]) }), 'tag=a', one],
      ['both of two lists', z.object({ tag: tags.and(tags) }), 'tag=a', one],
      ['a list or a text', z.object({ tag: z.union([tags, z.string()]) }), 'tag=a', { tag: 'a' }],
      [
        'a text that becomes a list',
        z.object({
          tag: z
            .string()
            .transform((all) => all.split(','))
            .pipe(tags),
        }),
        'tag=a',
        one,
      ],
      [
        'a preprocess before a list',
        z.object({ tag: z.preprocess((all) => String(all).split(','), tags) }),
        'tag=a,b',
        { tag: ['a', 'b'] },
      ],
      ['a refined object', z.object({ tag: tags }).refine(() => true), 'tag=a', one],
      ['an object that is read first', z.object({ tag: tags }).transform(({ tag }) => tag), 'tag=a', ['a']],
      [
        'both of two objects',
        z.object({ tag: tags }).and(z.object({ b: z.string() })),
        'tag=a&b=b',
        { ...one, b: 'b' },
      ],
      ['an alternative with a list', kinds, 'kind=k&tag=a', { kind: 'k', tag: ['a'] }],
      ['a record of lists', z.record(z.string(), tags), 'tag=a', one],
      ['other fields as lists', z.catchall(z.object({}), tags), 'tag=a', one],
      ['a name of Object.prototype', z.object({}).passthrough(), 'constructor=a', { constructor: 'a' }],
      ['a list of zod 4', zod4.object({ tag: zod4.array(zod4.string()).optional() }), 'tag=a', one],
      [
        'a list of zod 4 that is transformed',
        zod4.object({ tag: zod4.array(zod4.string()).transform((a) => a) }),
        'tag=a',
        one,
      ],
    ])('MV4, MV5, NC1: one value of a query or form for %s', async (_, schema, fields, expected) => {
      const form = (): Request => post(fields, 'application/x-www-form-urlencoded')
      expect(await ask(validateQuery(schema), `/?${fields}`)).toMatchObject({
        status: 200,
        body: { validated: expected },
      })
      for (const parsers of [[], [bodyParser()]]) {
        const answer = { status: 200, body: { validated: expected } }
        if (fields || !parsers.length)
          expect(await ask(validateBody(schema), form(), '/', parsers)).toMatchObject(answer)
      }
      const fetch = door({ routes: [['POST', '/', async (ctx) => json(await validate(ctx, schema))]] })
      expect(await (await fetch(form())).json()).toEqual(expected)
    })

    test('MV4: one value of JSON, of params and of headers is no list', async () => {
      const schema = z.object({ tag: tags })
      const request = new Request('http://localhost/', { headers: { tag: 'a' } })
      const statuses = {
        json: (await ask(validateBody(schema), post({ tag: 'a' }))).status,
        parsed: (await ask(validateBody(schema), post({ tag: 'a' }), '/', [bodyParser()])).status,
        params: (await ask(validateParams(schema), '/a', '/:tag')).status,
        headers: (await ask(validateHeaders(schema), request)).status,
      }
      expect(statuses).toEqual({ json: 422, parsed: 422, params: 422, headers: 422 })
    })

    test('MV4: a list of one does not change what a body parser left', async () => {
      const fetch = door({
        use: [bodyParser()],
        routes: [['POST', '/', validateBody(z.object({ tag: tags })), (ctx) => json(ctx.state.body)]],
      })
      expect(await (await fetch(post('tag=a', 'application/x-www-form-urlencoded'))).json()).toEqual({ tag: 'a' })
    })

    /** Files by name; one with a name has some content, unless that stands behind `=`. */
    const upload = (...files: readonly string[]): Request => {
      const parts = files.map((file) => {
        const [name, content = name && 'x'] = file.split('=')
        return `--X\r\nContent-Disposition: form-data; name="f"; filename="${name}"\r\n\r\n${content}\r\n`
      })
      return post(`${parts.join('')}--X--\r\n`, 'multipart/form-data; boundary=X')
    }
    test.each<[string, any, Request, readonly unknown[]]>([
      ['an empty file input is absent', z.object({ f: z.file().optional() }), upload(''), []],
      ['an empty input beside a file is no member', z.object({ f: z.array(z.file()) }), upload('', 'a'), ['a']],
      ['a file without content is one', z.object({ f: z.file() }), upload('a='), ['a']],
      ['content without a name is a file', z.object({ f: z.file() }), upload('=x'), ['']],
      ['one file is a list of one', z.object({ f: z.array(z.file()) }), upload('a'), ['a']],
      ['the name of a file is no path', z.object({ f: z.file() }), upload('../a'), ['a']],
    ])('MV4, NC6: %s, with and without a body parser', async (_, schema, request, expected) => {
      const show = (valid: any) => json([valid.f ?? []].flat().map(({ name }) => name))
      const seen = async (...steps: readonly any[]): Promise<unknown> => {
        const fetch = door({ routes: [['POST', '/', ...(steps as [any])]] })
        return (await fetch(request.clone())).json()
      }
      expect({
        validateBody: await seen(validateBody(schema), (ctx: any) => show(ctx.state.validated)),
        behind: await seen(bodyParser(), validateBody(schema), (ctx: any) => show(ctx.state.validated)),
        validate: await seen(async (ctx: any) => show(await validate(ctx, schema))),
      }).toEqual({ validateBody: expected, behind: expected, validate: expected })
    })

    test('MV5: a value that repeats where one is wanted is reported as a list', async () => {
      const schema = z.object({ limit: z.coerce.number(), page: z.number() })
      expect(await ask(validateQuery(schema), '/?limit=1&limit=2&page=1&page=2')).toMatchObject({
        status: 422,
        body: {
          issues: [
            { path: ['limit'], message: 'Expected number, received array' },
            { path: ['page'], message: 'Expected number, received array' },
          ],
        },
      })
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
      ['a type that only ends like JSON', post('{}', 'x-application/json'), 415, 'Unsupported Media Type'],
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
            async (ctx) =>
              json({ json: await ctx.json(), requestJson: await ctx.request.json(), text: await ctx.text() }),
          ],
        ],
      })
      expect(await (await fetch(post(user))).json()).toEqual({
        json: user,
        requestJson: user,
        text: JSON.stringify(user),
      })
    })

    test('X13: validate sees the same body as the validator', async () => {
      const fetch = door({
        routes: [
          [
            'POST',
            '/',
            validateBody(User),
            async (ctx) => json({ validate: await validate(ctx, User), validated: ctx.state.validated }),
          ],
        ],
      })
      expect(await (await fetch(post({ ...user, more: 1 }))).json()).toEqual({ validate: user, validated: user })
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
      expect({ status, body }).toMatchObject({
        status: 422,
        body: {
          error: 'Validation failed',
          issues: [{ path: ['age'], message: 'Required', code: 'invalid_type', expected: 'number' }],
        },
      })
    })

    test.each<[string, any, Request | string]>([
      ['query', validateQuery(zod3.object({ q: zod3.string() })), '/'],
      ['headers', validateHeaders(zod3.object({ q: zod3.string() })), '/'],
      ['params', validateParams(zod3.object({ q: zod3.string() })), '/'],
    ])('MV3: 422 for the %s too', async (_, step, request) => {
      const { status, body } = await ask(step, request)
      expect({ status, body }).toMatchObject({
        status: 422,
        body: { error: 'Validation failed', issues: [{ path: ['q'], message: 'Required' }] },
      })
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
      ['validate', (schema: any) => async (ctx: any) => json(await validate(ctx, schema))],
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
        expect({ status, body }).toEqual({ status: 422, body: { error: 'Validation failed', issues: [expected] } })
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
      expect({ status, issuesLength: body.issues.length }).toEqual({ status: 422, issuesLength: 100 })
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
      'NA16: an unknown kind',
      { schema: User, type: 'xml' },
      TypeError,
      'validator: type: expected "json" or "form", for a body, got "xml"',
    ],
    [
      'NA16: a kind of a query',
      { schema: User, source: 'query', type: 'json' },
      TypeError,
      'validator: type: expected "json" or "form", for a body, got "json"',
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
