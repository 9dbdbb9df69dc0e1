import { describe, expect, test } from 'vitest'
import { createApp } from '../src/app.ts'
import { methodNotAllowed } from '../src/pipe/method-not-allowed.ts'
import { refuse } from '../src/pipe/refuse.ts'
import { problemJson } from '../src/problem-json.ts'
import { json } from '../src/respond/json.ts'
import { text } from '../src/respond/text.ts'
import { createApp as createTinyApp } from '../src/tiny.ts'
import { doors } from './harness.ts'

const makers: readonly (readonly [string, typeof createApp])[] = [
  ['createApp', createApp],
  ['tiny', createTinyApp as never],
]

const fail = (): never => {
  throw new Error('broken')
}

describe.each(makers)('P16 an application that is mounted, %s', (_, create) => {
  const inner = create({
    onError: (error, ctx) => json({ inner: (error as Error).message, path: ctx.path }, 503),
    notFound: (ctx) => json({ inner: 'lost', path: ctx.path }, 404),
  })
    .use((ctx, next) => {
      ctx.onResponse(['x-inner', '1'])
      return next()
    })
    .get('/', () => text('home'))
    .get('/fail', fail)
    .get('/later', async () => fail())
  const outer = create({ onError: () => text('outer', 500), notFound: () => text('outer', 404) })
    .get('/fail', fail)
    .mount('/in', inner)
    .get('/in/mine', () => text('mine'))
  const ask = async (path: string): Promise<string> => {
    const response = await outer.fetch(new Request(`http://localhost${path}`))
    return `${response.status} ${response.headers.get('x-inner')} ${await response.text()}`
  }

  test.each([
    ['a route of the mounted application', '/in', '200 1 home'],
    ['an error is answered by its own onError', '/in/fail', '503 1 {"inner":"broken","path":"/in/fail"}'],
    ['a rejection is answered by its own onError', '/in/later', '503 1 {"inner":"broken","path":"/in/later"}'],
    ['an unmatched path is answered by its own notFound', '/in/none', '404 1 {"inner":"lost","path":"/in/none"}'],
    ['a route of the outer application below the prefix', '/in/mine', '200 null mine'],
    ['an error elsewhere is answered by the outer onError', '/fail', '500 null outer'],
    ['an unmatched path elsewhere is answered by the outer notFound', '/none', '404 null outer'],
    ['a path that only begins as the prefix does', '/inner', '404 null outer'],
  ])('%s', async (_, path, expected) => expect(await ask(path)).toBe(expected))

  test('an application without handlers of its own leaves errors and unmatched paths to the outer one', async () => {
    const plain = create({ onError: () => text('outer', 500), notFound: () => text('outer', 404) }).mount(
      '/in',
      create().get('/fail', fail),
    )
    const statuses = ['/in/fail', '/in/none'].map(async (path) => {
      const response = await plain.fetch(new Request(`http://localhost${path}`))
      return `${response.status} ${await response.text()}`
    })
    expect(await Promise.all(statuses)).toEqual(['500 outer', '404 outer'])
  })

  test('an onError that fails itself is answered by the last resort', async () => {
    const app = create({ onError: (error) => text(`outer: ${(error as Error).message}`, 500) }).mount(
      '/in',
      create({ onError: fail }).get('/', fail),
    )
    expect(await (await app.fetch(new Request('http://localhost/in'))).text()).toBe('{"error":"Internal Server Error"}')
  })
})

describe.each(makers)('P16 what an application was made with goes with it, %s', (_, create) => {
  const to = async (app: ReturnType<typeof createApp>, path: string, init?: RequestInit): Promise<string> => {
    const response = await app.fetch(new Request(`http://localhost${path}`, init))
    return `${response.status} ${response.headers.get('allow') ?? ''} ${await response.text()}`
  }
  const refuses = { methodNotAllowed: methodNotAllowed as never }
  const lost = { notFound: () => text('lost', 404) }
  const refused = '405 GET, HEAD, OPTIONS Method Not Allowed'
  const unknown = '404  {"error":"Not Found"}'

  test.each([
    ['neither knows methods', {}, {}, unknown, unknown],
    ['the outer one does', refuses, {}, refused, unknown],
    ['the outer one does, and the inner one has its own notFound', refuses, lost, refused, '404  lost'],
    ['the inner one does', {}, refuses, refused, unknown],
    ['the inner one does, and has its own notFound', {}, { ...refuses, ...lost }, refused, '404  lost'],
    ['the inner one does, and the outer one has a notFound', lost, refuses, refused, '404  lost'],
    ['the inner one has a notFound, and neither has methodNotAllowed', {}, lost, '404  lost', '404  lost'],
  ])('R31: %s', async (_, outer, inner, wrongMethod, wrongPath) => {
    const app = create(outer)
      .get('/top', () => text('top'))
      .mount(
        '/a',
        create().mount(
          '/in',
          create(inner).get('/', () => text('home')),
        ),
      )
    expect(await to(app, '/a/in')).toBe('200  home')
    expect(await to(app, '/a/in', { method: 'POST' })).toBe(wrongMethod)
    expect(await to(app, '/a/in/none', { method: 'POST' })).toBe(wrongPath)
    expect(await to(app, '/a/in', { method: 'OPTIONS' })).toBe(
      wrongMethod === refused ? '204 GET, HEAD, OPTIONS ' : wrongMethod,
    )
    const outerKnows = 'methodNotAllowed' in outer
    expect(await to(app, '/top', { method: 'POST' })).toBe(
      outerKnows ? refused : 'notFound' in outer ? '404  lost' : unknown,
    )
  })

  test.each([
    ['the inner limit is the smaller one', 100, 10, '/in', 11, 413],
    ['the inner limit is the larger one', 10, 100, '/in', 100, 200],
    ['outside the inner limit does not hold', 100, 10, '/out', 100, 200],
    ['an inner one without a limit has that of the outer one', 10, undefined, '/in', 11, 413],
    ['an outer one without a limit has the default', undefined, 10, '/out', 1_048_577, 413],
  ])('F16: %s', async (_, outer, inner, path, bytes, status) => {
    const handler = async (ctx: any) => text(`${(await ctx.text()).length}`) // any: whatever context it is
    const app = create(outer === undefined ? {} : { bodyLimit: outer })
      .post('/out', handler)
      .mount('/in', create(inner === undefined ? {} : { bodyLimit: inner }).post('/', handler))
    const answer = await to(app, path, { method: 'POST', body: 'x'.repeat(bytes) })
    expect(answer.slice(0, 3)).toBe(`${status}`)
  })

  test('I3: the settings of a mounted application hold for a request to its routes, also in middleware of the outer one', async () => {
    const read: unknown[] = []
    const app = create({ bodyLimit: 100, ...problemJson() })
      .use(async (ctx, next) => {
        await next()
        read.push(await ctx.text().catch(({ status }) => status))
        return refuse(ctx as never, 403, 'No')
      })
      .post('/out', () => text('x'))
      .mount(
        '/in',
        create({ bodyLimit: 1, onRefusal: () => text('inner', 403) }).post('/', () => text('x')),
      )
    const types = ['/in', '/out'].map(async (path) => {
      const response = await app.fetch(new Request(`http://localhost${path}`, { method: 'POST', body: 'ten letter' }))
      return { path, status: response.status, type: response.headers.get('content-type') }
    })
    expect(await Promise.all(types)).toEqual([
      { path: '/in', status: 403, type: 'text/plain; charset=utf-8' },
      { path: '/out', status: 403, type: 'application/problem+json' },
    ])
    expect(read).toEqual([413, 'ten letter'])
  })

  test.each([
    [
      'of the prefix',
      () =>
        create().mount(
          '/users/:id',
          create().get('/posts/:id', () => text('')),
        ),
    ],
    ['of the prefix, in a group', () => create().group('/:id', (inner) => inner.get('/:id', () => text('')))],
    ['of the basePath', () => create({ basePath: '/:id' }).get('/:id', () => text(''))],
    [
      'of the basePath, mounted',
      () =>
        create({ basePath: '/:id' }).mount(
          '/x',
          create().get('/*id', () => text('')),
        ),
    ],
    [
      'of the basePath of the mounted one',
      () =>
        create().mount(
          '/:id',
          create({ basePath: '/:id' }).get('/', () => text('')),
        ),
    ],
  ])('R29: a parameter that has the name of one %s is refused when it is added', (_, make) => {
    expect(make).toThrow(TypeError)
    expect(make).toThrow(/expected another name for the second ":id", got ".*:id.*id\/?"/)
  })

  test('R29: a parameter that has another name is not', async () => {
    const app = create().mount(
      '/users/:id',
      create().get('/posts/:post', (ctx) => json(ctx.params)),
    )
    expect(await to(app, '/users/1/posts/2')).toBe('200  {"id":"1","post":"2"}')
  })

  test('R4: a notFound that gives nothing, now or later, leaves it to the default', async () => {
    for (const notFound of [() => undefined, async () => undefined]) {
      expect(await to(create({ notFound: notFound as never }), '/none')).toBe(unknown)
      expect(await to(create().mount('/in', create({ notFound: notFound as never })), '/in/none')).toBe(unknown)
    }
  })

  test.each([
    ['//evil.example/x', 'http://localhost//evil.example/x'],
    ['/\\\\evil.example', 'http://localhost///evil.example'],
    ['\\\\evil.example', 'http://localhost///evil.example'],
    ['users?a=1', 'http://localhost/users?a=1'],
    ['?a=1', 'http://localhost/?a=1'],
    ['', 'http://localhost/'],
    ['/javascript:x', 'http://localhost/javascript:x'],
    ['javascript:x', 'http://localhost/javascript:x'],
    ['https://b.example/x', 'https://b.example/x'],
  ])('P23, R34: request(%j) asks for %s', async (path, url) => {
    const app = create().all('*', (ctx) => text(ctx.request.url))
    const promise = app.request(path)
    expect(promise).toBeInstanceOf(Promise)
    expect(await (await promise).text()).toBe(url)
  })
})

test('P11 a context can be printed, and its environment is not', async () => {
  const { inspect } = await import('node:util')
  const app = createApp().get('/', (ctx) => text(inspect(ctx, { depth: 5 })))
  const printed = await (await app.fetch(new Request('http://localhost/'), { SECRET: 'hunter2' })).text()
  expect(printed).not.toContain('hunter2')
  expect((await app.fetch(new Request('http://localhost/'))).status).toBe(200)
})

test.each(doors)('P11 %s: a printed context is short and says what the request is', async (_, door) => {
  const { inspect } = await import('node:util')
  const printed: string[] = []
  const print = (ctx: any): void => {
    printed.push(inspect(ctx), inspect({ ctx }, { depth: 0 }), inspect(ctx, { depth: null, showHidden: true }))
  }
  const fetch = door({
    use: [
      async (ctx, next) => {
        ctx.state.user = { password: 'hunter2' }
        print(ctx)
        await next()
        print(ctx)
      },
    ],
    routes: [['GET', '/:id', (ctx) => json({ id: ctx.params.id }, { headers: { 'set-cookie': 'sid=hunter2' } })]],
  })
  const request = new Request('http://localhost/7?a=1', { headers: { authorization: 'Bearer hunter2' } })
  expect((await fetch(request, { SECRET: 'hunter2' })).status).toBe(200)
  const [before, nested, whole, after] = printed
  expect(before).toMatch(/^Context \{\s+method: 'GET',\s+path: '\/7',\s+params: \{ id: '7' \},\s+request: /)
  expect(nested).toBe('{ ctx: [Context] }')
  expect(after).toContain('status: 200')
  for (const text of printed) expect(text).not.toMatch(/depth|raced|finish|password|hunter2/)
  expect(whole).not.toContain('SECRET')
})

test('P23 app.request is always a promise, and takes a path', async () => {
  const app = createApp().post('/:id', async (ctx) => ctx.json({ id: ctx.params.id, body: await ctx.json() }))
  const promise = app.request('/7', { method: 'POST', body: '{"a":1}' })
  expect(promise).toBeInstanceOf(Promise)
  expect(await (await promise).json()).toEqual({ id: '7', body: { a: 1 } })
  expect((await app.request(new URL('http://localhost/none'))).status).toBe(404)
})

test('P16 an application with service providers is not mounted: nobody would boot them', () => {
  const refused = 'mount: providers: expected none: register them on the outer application, got 1'
  const inner = createApp()
    .register({ boot() {} })
    .get('/', () => text('in'))
  expect(() => createApp().mount('/in', inner)).toThrow(new TypeError(refused))
  const bare = createApp({ config: { a: 1 } }).get('/', (ctx) => text(`${ctx.container.has('db')}`))
  const outer = createApp()
    .register({ register() {} })
    .mount('/in', bare)
  outer.container.instance('db', 1)
  return expect(outer.request('/in').then((response) => response.text())).resolves.toBe('true')
})

describe.each(makers)('P16 refusals below the prefix of a mounted application, %s', (_, create) => {
  const named = (name: string) => ({
    onError: (error: unknown) => text(`${name}: ${(error as Error).message}`, (error as { status?: number }).status),
  })
  const leaf = (options: object) =>
    create(options)
      .use((ctx, next) => {
        ctx.onResponse(['x-ran', '1'])
        return next()
      })
      .get('/u/:id', () => text('user'))
      .get('/f/*path', () => text('file'))
  const ask = async (app: ReturnType<typeof createApp>, path: string): Promise<unknown> => {
    const response = await app.fetch(new Request(`http://localhost${path}`))
    return { status: response.status, 'x-ran': response.headers.get('x-ran'), body: await response.text() }
  }

  test.each([
    ['its onError responds', named('inner'), '/in/u/%zz', 'inner: Malformed path'],
    ['of a rest parameter too', named('inner'), '/in/f/a/%ff', 'inner: Malformed path'],
    ['without an onError of its own, the outer one does', {}, '/in/u/%zz', 'outer: Malformed path'],
    ['with a notFound alone, the outer one does', { notFound: fail }, '/in/u/%zz', 'outer: Malformed path'],
    ['outside the prefix, the outer one does', named('inner'), '/u/%zz', 'outer: Malformed path'],
    ['where it has no route, the outer one does, as for a 404', named('inner'), '/in/%zz', 'outer: Malformed path'],
  ])('a malformed escape: %s', async (_, options, path, expected) => {
    const app = create(named('outer')).get('/u/:id', fail).mount('/in', leaf(options))
    expect(await ask(app, path)).toEqual({ status: 400, 'x-ran': null, body: expected })
  })

  test.each([
    ['the innermost onError responds', named('inner'), 'inner: Malformed path'],
    ['or that of the application between', {}, 'middle: Malformed path'],
  ])('a malformed escape below two mounts: %s', async (_, options, expected) => {
    const middle = create({ ...named('middle'), basePath: '/v1' }).mount('/in', leaf(options))
    expect(await ask(create({ basePath: '/api' }).mount('/a', middle), '/api/a/v1/in/u/%')).toEqual({
      status: 400,
      'x-ran': null,
      body: expected,
    })
  })

  test('a malformed escape in a path that prepare() wrote', async () => {
    const rewriting = Object.assign((_: unknown, next: any) => next(), {
      prepare(ctx: { path: string }) {
        ctx.path = '/in/u/%zz'
      },
    })
    const app = create(named('outer'))
      .use(rewriting as never)
      .mount('/in', leaf(named('inner')))
    expect(await ask(app, '/')).toEqual({ status: 400, 'x-ran': null, body: 'inner: Malformed path' })
  })

  test('P10: problemJson of a mounted application formats 400 and 404 below its prefix alone', async () => {
    const app = create().mount('/in', leaf({ ...problemJson() }))
    const types = ['/in/u/%zz', '/in/none', '/none'].map(async (path) => {
      const response = await app.fetch(new Request(`http://localhost${path}`))
      return { status: response.status, type: response.headers.get('content-type') }
    })
    const problem = 'application/problem+json'
    expect(await Promise.all(types)).toEqual([
      { status: 400, type: problem },
      { status: 404, type: problem },
      { status: 404, type: 'application/json' },
    ])
  })

  test('a notFound of the outer application still responds below an application with problemJson', async () => {
    const app = create({ notFound: () => text('lost', 404) }).mount('/in', leaf({ ...problemJson() }))
    expect(await ask(app, '/in/none')).toEqual({ status: 404, 'x-ran': '1', body: 'lost' })
  })
})
