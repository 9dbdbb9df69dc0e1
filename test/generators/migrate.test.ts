import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { portHono } from '../../generators/migrate/hono.ts'
import { filesIn, runCommand } from './run-command.ts'
import { CHECKOUT, linkPackages, temporaryFolder } from './sandbox.ts'

const HEAD = "import { Hono } from 'hono'\nconst app = new Hono()\n"

/** The last lines of a module after the move, and what is left. */
const port = (source: string) => {
  const { text, notes } = portHono(ts, 'app.ts', source)!
  return { text, last: text.trimEnd().split('\n').at(-1), notes: notes.map(({ line, text }) => `${line}: ${text}`) }
}

/** An expression in a handler, after the move. */
const inHandler = (expression: string): string => {
  const { last, notes } = port(`${HEAD}app.get('/', (c) => f(${expression}))`)
  expect(notes).toEqual([])
  return last!.slice("app.get('/', (c) => f(".length, -2)
}

describe('FX5: members of the context', () => {
  test.each([
    ["c.req.param('id')", 'c.params.id'],
    ["c.req.param('user-id')", "c.params['user-id']"],
    ['c.req.param()', 'c.params'],
    ["c.req.query('a')", "c.query.get('a') ?? undefined"],
    ["c.req.query('a') ?? 'b'", "c.query.get('a') ?? 'b'"],
    ["c.req.query('a') || 'b'", "c.query.get('a') || 'b'"],
    ["c.req.query('a') === undefined", "(c.query.get('a') ?? undefined) === undefined"],
    ["c.req.query('a') === 'b'", "c.query.get('a') === 'b'"],
    ["c.req.query('a')!", "c.query.get('a')!"],
    ["c.req.query('a') ?? c.req.query('b')", "c.query.get('a') ?? (c.query.get('b') ?? undefined)"],
    ["c.req.header('a') || c.req.header('b')", "c.header('a') || (c.header('b') ?? undefined)"],
    ["c.req.query('a') && 1", "(c.query.get('a') ?? undefined) && 1"],
    ['c.req.query("it\'s")', 'c.query.get("it\'s") ?? undefined'],
    ["c.req.query('a')?.length", "c.query.get('a')?.length"],
    ["[c.req.query('a')]", "[(c.query.get('a') ?? undefined)]"],
    ['c.req.query()', 'Object.fromEntries(c.query)'],
    ["c.req.header('x-a')", "c.header('x-a') ?? undefined"],
    ['c.req.header()', 'Object.fromEntries(c.request.headers)'],
    ['await c.req.json()', 'await c.json()'],
    ['await c.req.formData()', 'await c.formData()'],
    ['c.req.method + c.req.path + c.req.url', 'c.method + c.path + c.request.url'],
    ['c.req.raw.body', 'c.request.body'],
    ["c.req.valid('json')", 'c.state.valid.body'],
    ["c.req.valid('param')", 'c.state.valid.params'],
    ["c.get('user')", 'c.state.user'],
    ["c.get('db').find(c.req.param('id'))", 'c.state.db.find(c.params.id)'],
    ['c.var.user', 'c.state.user'],
    ['c.var', 'c.state'],
    ["c.body('x', { status: 201, headers })", "new Response('x', { status: 201, headers })"],
    ['c.env.KEY', 'c.env.KEY'],
    ["c.body('x')", "new Response('x')"],
    ["c.body('x', 201)", "new Response('x', { status: 201 })"],
    ['c.executionCtx.waitUntil(work())', 'c.waitUntil(work())'],
    ["c.json({ a: c.req.param('a') }, 201)", 'c.json({ a: c.params.a }, 201)'],
    ["list.map((c) => c.req.param('id'))", "list.map((c) => c.req.param('id'))"],
    ["list.map((one) => one + c.req.param('id'))", 'list.map((one) => one + c.params.id)'],
  ])('%s is %s', (hono, expected) => expect(inHandler(hono)).toBe(expected))

  test.each([
    ["c.set('user', c.req.param('id'))", 'c.state.user = c.params.id'],
    ["c.header('x-a', c.req.path)", "c.onResponse(['x-a', c.path])"],
    ["c.res.headers.set('x-a', '1')", "c.onResponse(['x-a', '1'])"],
    ['return c.notFound()', 'throw new HttpError(404)'],
    ['throw new HTTPException(403, { message: c.req.path })', 'throw new HttpError(403, c.path)'],
    ['throw new HTTPException(403, { message })', 'throw new HttpError(403, message)'],
    ['if (error instanceof HTTPException) return', 'if (error instanceof HttpError) return'],
  ])('%s is %s', (hono, expected) => {
    const head = `import { HTTPException } from 'hono/http-exception'\n${HEAD}`
    const { text, notes } = port(`${head}app.use(async (c, next) => {\n  ${hono}\n})`)
    expect(notes).toEqual([])
    expect(text).toContain(`\n  ${expected}\n`)
    expect(text).toContain('HttpError } from')
  })
})

describe('FX5: functions that an application gets by name, or from a function', () => {
  test.each([
    ['function show(c) { return c.req.path }', "app.get('/', show)"],
    ['const show = (c) => c.req.path', "app.get('/', show)"],
    ['const show = function (c) { return c.req.path }', "app.get('/', auth, show)"],
    ['const failed = (error, c) => f(error, c.req.path)', 'app.onError(failed)'],
    ['const auth = (role) => (c, next) => f(c.req.path)', "app.use(auth('x'))"],
    ['function auth(role) { if (role) return (c) => f(c.req.path) }', "app.use('/x', auth('x'))"],
    ["import type { Handler } from 'hono'\nconst auth = (): Handler => (c) => f(c.req.path)", ''],
    [
      "import type { MiddlewareHandler as M } from 'hono'\nfunction auth(): M { return async (c) => f(c.req.path) }",
      '',
    ],
    ['', "app.get('/', function show(c) { return c.req.path })"],
  ])('%s, %s', (before, after) => {
    const { text } = port(`${HEAD}${before}\n${after}`)
    expect(text).toMatch(/\bc\.path\b/)
    expect(text).not.toContain('c.req')
  })

  test.each([
    ['const show = (c) => c.req.path', ''],
    ['const auth = (c) => (one) => c.req.path', 'app.use(auth)', 'c.path'],
    ['const auth = (c) => (one) => c.req.path', 'app.use(auth(1))'],
    ['const other = (): string => (c) => c.req.path', 'app.use(other())'],
  ])('%s, %s: only those', (before, after, expected = 'c.req.path') =>
    expect(port(`${HEAD}${before}\n${after}`).text).toContain(expected),
  )
})

describe('FX5: applications', () => {
  test.each([
    ["app.route('/users', users)", "app.mount('/users', users)"],
    ["app.get('users', f)", "app.get('/users', f)"],
    ["app.use('*', f)", "app.use('*', f)"],
    ['export const other = new Hono', 'export const other = createApp()'],
    ['const typed = new Hono<{ Bindings: B; Variables: V }>()', 'const typed = createApp<B, V>()'],
    ['const typed = new Hono<{ Variables: V }>()', 'const typed = createApp<unknown, V>()'],
    [
      "const add = (routes: Hono) => routes.get('/', (c) => c.req.path)",
      "const add = (routes: App) => routes.get('/', (c) => c.path)",
    ],
  ])('%s is %s', (hono, expected) => expect(port(HEAD + hono)).toMatchObject({ last: expected, notes: [] }))

  test.each([
    [
      "import { zValidator } from '@hono/zod-validator'",
      "app.get('/', zValidator('query', S))",
      "app.get('/', validateQuery(S))",
    ],
    [
      "import { zValidator as v } from '@hono/zod-validator'",
      "app.post('/', v('form', S))",
      "app.post('/', validateBody(S))",
    ],
    ["import { compress } from 'hono/compress'", 'app.use(compress())', 'app.use(compression())'],
    ["import { serve } from '@hono/node-server'", 'serve({ fetch: app.fetch, port: 80 })', 'app.listen({ port: 80 })'],
    ["import { serve } from '@hono/node-server'", 'serve(app)', 'app.listen(3000)'],
    [
      "import { createMiddleware as make } from 'hono/factory'",
      'const m = make((c) => c.req.path)',
      'const m: Middleware = (c) => c.path',
    ],
    ["import type { Context } from 'hono'", 'const h = (c: Context) => c.req.path', 'const h = (c: Context) => c.path'],
    [
      "import type { MiddlewareHandler as M } from 'hono'",
      'const h: M = (c) => c.req.path',
      'const h: M = (c) => c.path',
    ],
  ])('%s: %s is %s', (imports, hono, expected) =>
    expect(port(`${imports}\n${HEAD}${hono}`)).toMatchObject({ last: expected, notes: [] }),
  )

  test('the new imports stand where the first import of Hono was; names keep their aliases', () => {
    const { text } = port(
      "import a from 'a'\nimport { getCookie as read } from 'hono/cookie'\nimport { Hono as H } from 'hono'\nread(new H())\n",
    )
    expect(text).toBe(
      "import a from 'a'\nimport { createApp } from 'sluice'\nimport { getCookie as read } from 'sluice/cookie'\nread(createApp())\n",
    )
  })

  test.each([
    ["import { logger as log } from 'hono/logger'", 'f(log(), logger)', 'f(log(), logger)', 'logger as log }'],
    ["import { compress as zip } from 'hono/compress'", 'f(zip())', 'f(zip())', 'compression as zip }'],
    ["import { compress } from 'hono/compress'", 'f({ compress })', 'f({ compress: compression })', '{ compression }'],
    [
      "import { HTTPException as HttpError } from 'hono/http-exception'",
      'throw new HttpError(401)',
      'throw new HttpError(401)',
      '{ HttpError }',
    ],
  ])('%s: %s is %s', (imports, hono, expected, named) => {
    const { text, last } = port(`${imports}\n${hono}`)
    expect(last).toBe(expected)
    expect(text).toContain(named)
  })

  test('a module without Hono is left alone', () => expect(portHono(ts, 'a.ts', "import 'honor'\n")).toBeUndefined())
})

describe('FX5: what has no counterpart is said, with its line', () => {
  test.each([
    ["app.on('PURGE', '/', f)", '3: app.on(…)'],
    ['app.onError((error, c) => c.req.path)', '3: app.onError(…)'],
    ["app.get('/:id{[0-9]+}', f)", '3: /:id{[0-9]+}'],
    ["app.get('/:id?', f)", '3: /:id?'],
    ['app.get("/", (c) => { c.status(201) })', '3: c.status(…)'],
    ['app.get("/", ({ req, json }) => json(req.path))', '3: { req, json }: members of the context'],
    ['app.get("/", (c) => { const { req } = c })', '3: { req }: members of the context'],
    ['app.get("/", (c) => { c.header("Content-Type", "text/css") })', '3: content-type: pass it'],
    ['app.mount("/x", other.fetch)', '3: app.mount(path, fetch)'],
    [
      "import { HTTPException } from 'hono/http-exception'\nf(error instanceof HTTPException && error.getResponse())",
      '4: error.getResponse(): toResponse(error)',
    ],
    ['app.get("/", (c) => c.render("x"))', '3: c.render has no'],
    ['app.get("/", (c) => c.req.parseBody())', '3: c.req.parseBody has no'],
    ['app.get("/", (c) => c.req.param(name))', '3: c.req.param has no'],
    ['app.get("/", (c) => c.res)', '3: c.res has no'],
    ['app.get("/", (c) => c.req.queries("a"))', "3: c.query.getAll('a') is an empty list"],
    ['const typed = new Hono<Env>()', '3: Env: createApp'],
    ['class Own extends Hono {}', '3: Hono is not moved here'],
    ["import { streamSSE } from 'hono/streaming'", '3: hono/streaming is not moved'],
    ["import { validator } from 'hono/validator'", '3: hono/validator is not moved'],
    ["import { setSignedCookie } from 'hono/cookie'", '3: setSignedCookie of hono/cookie'],
    ["import { cors } from 'hono/cors'\napp.use(cors({ origin: '*' }))", '4: the options of cors'],
    ["import { jwt } from 'hono/jwt'\napp.use(jwt())", '4: the options of jwt'],
  ])('%s', (hono, expected) => expect(port(HEAD + hono).notes).toEqual([expect.stringContaining(expected)]))
})

describe('FX5: sluice migrate', () => {
  const project = (): string => {
    const folder = temporaryFolder()
    linkPackages(folder)
    symlinkSync(join(CHECKOUT, 'node_modules/zod'), join(folder, 'node_modules/zod'))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module", "dependencies": { "sluice": "*" } }')
    mkdirSync(join(folder, 'src/lib'), { recursive: true })
    writeFileSync(join(folder, 'src/app.ts'), readFileSync(join(import.meta.dirname, 'documents/hono-app.txt'), 'utf8'))
    writeFileSync(join(folder, 'src/lib/plain.ts'), 'export const one = 1\n')
    return folder
  }
  const sources = (folder: string) => filesIn(join(folder, 'src'))

  test('an application of Hono runs after the move; a second run changes nothing', async () => {
    const folder = project()
    const moved = await runCommand(folder, ['migrate', 'hono'])
    expect(moved).toMatchObject({ code: 0, err: '' })
    expect(moved.out).toBe(`update    src/app.ts

Left to you, 1 place:
  src/app.ts:24  c.query.getAll('tag') is an empty list, not undefined, where there is none
`)
    const ask = async (...line: string[]) => {
      const { code, out, err } = await runCommand(folder, ['request', ...line])
      return { code, out: out.trim().replaceAll(/\s+/g, ' '), err }
    }
    expect(await ask('GET', '/users?page=2&tag=a')).toEqual({
      code: 0,
      out: '{ "page": "2", "tags": [ "a" ] }',
      err: '',
    })
    expect((await ask('GET', '/users/7')).out).toBe('{ "id": "7", "all": { "id": "7" } }')
    expect(await ask('GET', '/users/0')).toEqual({ code: 1, out: '{ "error": "No such user" }', err: '' })
    expect((await ask('GET', '/users/1')).code).toBe(1)
    expect((await ask('POST', '/users', '-d', '{"name":"x"}', '-i')).out).toMatch(
      /^201 .*location: \/users\/x .*\{ "name": "x" \}$/,
    )
    expect((await ask('POST', '/users', '-d', '{}')).out).toContain('Validation failed')
    expect((await ask('GET', '/who/am', '-H', 'x-tenant: t', '-i')).out).toMatch(/x-timing: 1 .*"tenant": "t"/)
    expect((await ask('GET', '/bytes', '-i')).out).toMatch(/^202 /)
    expect((await ask('GET', '/cookie', '-i')).out).toContain('set-cookie: seen=yes')
    const before = sources(folder)
    expect(await runCommand(folder, ['migrate', 'hono'])).toMatchObject({ code: 0, out: 'No module imports hono\n' })
    expect(sources(folder)).toEqual(before)
  }, 60_000)

  test('--dry-run and --json write nothing, or say it as JSON', async () => {
    const folder = project()
    const before = sources(folder)
    const { code, out } = await runCommand(folder, ['migrate', 'hono', 'src/app.ts', '--dry-run', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      ok: true,
      dryRun: true,
      files: [{ path: 'src/app.ts', action: 'update' }],
      left: [{ path: 'src/app.ts', line: 24 }],
    })
    expect(sources(folder)).toEqual(before)
  })

  test.each([
    [['migrate'], 2, '<library> is missing'],
    [['migrate', 'hone'], 2, 'No migration from "hone". Did you mean "hono"?'],
    [['migrate', 'express'], 2, 'No migration from "express".\nLibraries: hono'],
    [['migrate', 'hono', 'nowhere'], 2, 'There is no nowhere'],
    [['migrate', 'hono', '/etc/hostname'], 0, ''],
  ])('%j exits with %i', async (line, code, message) => {
    const outcome = await runCommand(project(), line)
    expect(outcome.code).toBe(code)
    expect(outcome.err).toContain(message)
  })

  test('without TypeScript it says what to install, with exit code 3', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'src'))
    const outcome = await runCommand(folder, ['migrate', 'hono'])
    expect(outcome).toMatchObject({ code: 3, err: expect.stringContaining('npm install --save-dev typescript') })
  })
})
