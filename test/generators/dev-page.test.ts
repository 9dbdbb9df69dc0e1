import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { DevApplication } from '../../generators/dev/application.ts'
import { watchErrors } from '../../generators/dev/errors.ts'
import { createApp, HttpError, json } from '../../src/index.ts'
import { cors } from '../../src/middleware/cors.ts'
import { expectLinear } from '../growth.ts'
import { temporaryFolder } from './sandbox.ts'

const SECRET = 'S3CRET_VALUE'

/** A project with a source, and with files that no page may show. */
const makeProject = (): string => {
  const root = join(temporaryFolder(), 'app')
  mkdirSync(join(root, 'src/.hidden'), { recursive: true })
  mkdirSync(join(root, 'node_modules/dep'), { recursive: true })
  mkdirSync(`${root}-other`)
  writeFileSync(join(root, 'src/app.ts'), 'const one = 1\nconst two = 2\nthrow new Error("three")\n')
  writeFileSync(join(root, 'src/with space (1).ts'), 'line one\nspaced line\n')
  for (const file of ['.env', 'database.sqlite', 'src/.hidden/x.ts', 'node_modules/dep/x.ts', 'notes.txt', 'key.json'])
    writeFileSync(join(root, file), SECRET)
  writeFileSync(join(`${root}-other`, 'x.ts'), SECRET)
  writeFileSync(join(root, '..', 'x.ts'), SECRET)
  symlinkSync(join(root, '..', 'x.ts'), join(root, 'src/link.ts'))
  symlinkSync(join(root, '.env'), join(root, 'src/env.ts'))
  mkdirSync(join(root, 'src/folder.ts'))
  writeFileSync(join(root, 'src/huge.ts'), `${SECRET}\n`.repeat(200_000))
  return root
}

const root = makeProject()

/** An error with the stack that V8 gives it, plus frames of our own before the real ones. */
const errorAt = (location: string, message = 'broken'): Error => {
  const error = new Error(message)
  error.stack = `Error: ${message}\n    at handler (${location})\n    at Object.run (node:internal/x:1:1)`
  return error
}

/** What a browser gets for an error that a handler throws. */
const show = async (error: unknown, headers: Record<string, string> = {}, address?: string) => {
  const app = createApp()
  app.get('/boom', () => {
    throw error
  })
  const addressOf = (): string | undefined => address
  watchErrors(app as unknown as DevApplication, { root, addressOf })
  const request = new Request('http://localhost:3000/boom?token=hunter2&page=2', {
    headers: { accept: 'text/html', host: 'localhost:3000', ...headers },
  })
  const response = await app.fetch(request)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

describe('F6: the source that the page shows', () => {
  test.each([
    ['a path', join(root, 'src/app.ts')],
    ['a file URL', pathToFileURL(join(root, 'src/app.ts')).href],
    ['a file URL with a query', `${pathToFileURL(join(root, 'src/app.ts')).href}?tsx-namespace=1`],
  ])('%s of the project is shown with its lines', async (_, file) => {
    const { text } = await show(errorAt(`${file}:3:7`))
    expect(text).toContain('src/app.ts:3:7')
    expect(text).toMatch(/<mark>.*throw new Error/)
    expect(text).toContain('const one = 1')
  })

  test.each([join(root, 'src/with space (1).ts'), pathToFileURL(join(root, 'src/with space (1).ts')).href])(
    'a name with blanks and brackets is found: %s',
    async (file) => {
      expect((await show(errorAt(`${file}:2:1`))).text).toMatch(/<mark>.*spaced line/)
    },
  )

  test.each([
    ['a file of the system', '/etc/passwd'],
    ['the environment', join(root, '.env')],
    ['a dot folder', join(root, 'src/.hidden/x.ts')],
    ['a file above the project', join(root, '..', 'x.ts')],
    ['a path that leaves the folder with ..', `${root}/src/../../x.ts`],
    ['an encoded way out', `${pathToFileURL(root).href}/src/%2e%2e/%2e%2e/x.ts`],
    ['a folder whose name begins like that of the project', join(`${root}-other`, 'x.ts')],
    ['a link that leads out', join(root, 'src/link.ts')],
    ['a link to a dot file', join(root, 'src/env.ts')],
    ['a package', join(root, 'node_modules/dep/x.ts')],
    ['a text', join(root, 'notes.txt')],
    ['data', join(root, 'key.json')],
    ['a database', join(root, 'database.sqlite')],
    ['a folder', join(root, 'src/folder.ts')],
    ['a file of several megabytes', join(root, 'src/huge.ts')],
    ['a file that is not there', join(root, 'src/none.ts')],
    ['a URL of another scheme', 'https://127.0.0.1:9/x.ts'],
    ['a URL that cannot be decoded', 'file:///%zz/x.ts'],
    ['a URL with a host', `file://elsewhere${root}/src/app.ts`],
    ['a NUL', `${root}/src/app.ts\0`],
  ])('%s is never read', async (_, file) => {
    const { status, text } = await show(errorAt(`${file}:1:1`))
    expect(status).toBe(500)
    expect(text).not.toContain(SECRET)
    expect(text).not.toContain('root:x:0:0')
    expect(text).not.toContain('<mark>')
  })

  test.each([
    ['in one line', `${join(root, 'src/app.ts')}:1:1`],
    ['dressed as a frame', `x\n    at evil (${join(root, 'src/app.ts')}:1:1)`],
    ['dressed as a frame, twice', `\n    at evil (${join(root, 'src/app.ts')}:1:1)`.repeat(2)],
  ])('a path in the message, %s, is no frame', async (_, message) => {
    const error = new Error(message)
    error.stack = `Error: ${message}\n    at run (node:internal/x:1:1)`
    const renamed = new Error(message)
    renamed.stack = `Error: ${message}\n    at run (node:internal/x:1:1)`
    renamed.message = 'another message'
    for (const each of [error, renamed]) expect((await show(each)).text).not.toContain('<mark>')
  })

  test('a frame outside is passed over for the first one inside', async () => {
    const error = errorAt('/etc/passwd:1:1')
    error.stack += `\n    at async ${pathToFileURL(join(root, 'src/app.ts')).href}:2:1`
    expect((await show(error)).text).toMatch(/<mark>.*const two/)
  })

  test('a line that the file does not have shows no source', async () => {
    expect((await show(errorAt(`${join(root, 'src/app.ts')}:99:1`))).text).not.toContain('<pre>    1')
  })

  test.each([
    ['a text', 'just text', 'just text'],
    ['nothing', undefined, 'undefined'],
    ['an object without a prototype', Object.create(null), '(cannot be read)'],
    ['an error without a stack', Object.assign(new Error('bare'), { stack: undefined }), 'bare'],
    ['an error whose stack is no text', Object.assign(new Error('odd'), { stack: { a: 1 } }), 'odd'],
  ])('%s may be thrown', async (_, thrown, words) => {
    const { status, text } = await show(thrown)
    expect(status).toBe(500)
    expect(text).toContain(words)
  })
})

test('F6: a long message is looked through in linear time', async () => {
  const shapes = [
    (n: number) => `${'/'.repeat(n)}:1:x`,
    (n: number) => '/a:1'.repeat(n / 4),
    (n: number) => `    at ${'('.repeat(n)}:1:`,
    (n: number) => `    at (${'1:'.repeat(n / 2)}x`,
    (n: number) => `${'file:///?'.repeat(n / 9)}:1:`,
    (n: number) => '    at \n'.repeat(n / 8),
  ]
  const withStack = (text: string): Error => {
    const error = new Error('m')
    error.stack = `Error: m\n${text}`
    return error
  }
  for (const shape of shapes) {
    await expectLinear(
      160_000,
      (size) => withStack(shape(size)),
      (error) => show(error),
    )
  }
})

describe('F6: who gets the page', () => {
  const error = errorAt(`${join(root, 'src/app.ts')}:3:7`)

  test.each([
    'localhost',
    'localhost:3000',
    '127.0.0.1:3000',
    '127.9.9.9',
    '[::1]:3000',
    'app.localhost:3000',
    'LOCALHOST',
  ])('the host %s does', async (host) => {
    expect((await show(error, { host })).text).toContain('src/app.ts')
  })

  test.each([
    'evil.example',
    'evil.example:3000',
    'localhost.evil.example',
    '127.0.0.1.nip.io',
    '192.168.1.7:3000',
    '0.0.0.0:3000',
    'notlocalhost',
    'user@localhost',
    'localhost:3000@evil.example',
    '[::2]:3000',
    '127.0.0.1:3000:4',
    '',
  ])('the host "%s" gets the plain answer', async (host) => {
    const { status, text, headers } = await show(error, { host })
    expect({ status, text: JSON.parse(text) }).toEqual({ status: 500, text: { error: 'Internal Server Error' } })
    expect(headers.get('content-type')).toContain('application/json')
  })

  test('a forwarded host that is not local gets the plain answer', async () => {
    expect((await show(error, { 'x-forwarded-host': 'evil.example' })).text).not.toContain('src/app.ts')
  })

  test.each([
    ['127.0.0.1', true],
    ['::1', true],
    [undefined, true],
    ['192.168.1.20', false],
    ['2001:db8::1', false],
  ])('the address %s: %s', async (address, gets) => {
    expect((await show(error, {}, address)).text.includes('src/app.ts')).toBe(gets)
  })

  test('no other origin can read it, regardless of what the application allows', async () => {
    const app = createApp()
    app.use(cors({ origin: 'https://evil.example', credentials: true }))
    app.get('/boom', () => {
      throw error
    })
    watchErrors(app as unknown as DevApplication, { root })
    for (const accept of ['text/html', 'application/json']) {
      const headers = { accept, host: 'localhost:3000', origin: 'https://evil.example' }
      const response = await app.fetch(new Request('http://localhost:3000/boom', { headers }))
      expect(response.status).toBe(500)
      const fields = [...response.headers.keys()]
      expect(fields.filter((name) => name.startsWith('access-control'))).toEqual([])
      expect(response.headers.get('cross-origin-resource-policy')).toBe('same-origin')
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(await response.text()).toContain('src/app.ts')
    }
  })
})

describe('F6: markup on the page is only its own', () => {
  const markup = '<img src=x onerror=alert(1)>'
  const escaped = '&lt;img src=x onerror=alert(1)&gt;'
  writeFileSync(join(root, 'src/markup.ts'), `throw new Error('${markup}')\n`)

  test.each<[string, string, string, Record<string, string>, number]>([
    ['an error, in the title, the heading and the stack', join(root, 'src/app.ts'), markup, {}, 3],
    ['the source', join(root, 'src/markup.ts'), 'broken', {}, 1],
    ['a header of the request', join(root, 'src/app.ts'), 'broken', { 'x-note': `"${markup}` }, 1],
  ])('%s is escaped', async (_, file, message, headers, times) => {
    const { text } = await show(errorAt(`${file}:1:7`, message), headers)
    expect(text).not.toContain('<img')
    expect(text.split(escaped)).toHaveLength(times + 1)
  })

  test('what is thrown, if it is no error, is escaped too', async () => {
    const { text } = await show(markup)
    expect(text).not.toContain('<img')
    expect(text).toContain(escaped)
  })
})

describe('F6: what the page hides', () => {
  test.each(['authorization', 'cookie', 'proxy-authorization', 'x-api-key', 'x-csrf-token', 'x-session-id'])(
    'the field %s',
    async (name) => {
      const { text } = await show(errorAt(`${join(root, 'src/app.ts')}:3:7`), { [name]: 'hunter1' })
      expect(text).not.toContain('hunter1')
      expect(text).toContain(name)
    },
  )

  test('the value of a token in the query, as HTML and as JSON', async () => {
    for (const accept of ['text/html', 'application/json']) {
      const { text } = await show(errorAt(`${join(root, 'src/app.ts')}:3:7`), { accept })
      expect(text).not.toContain('hunter2')
      expect(text).toContain('page=2')
    }
  })

  test('P27: no connection is kept, since the next process will have the port; an upgrade keeps its own', async () => {
    const app = createApp()
    app.get('/', () => json({}))
    watchErrors(app as unknown as DevApplication, { root })
    const connection = async (headers: Record<string, string>) =>
      (await app.fetch(new Request('http://localhost/', { headers }))).headers.get('connection')
    expect(await connection({})).toBe('close')
    expect(await connection({ upgrade: 'websocket' })).toBeNull()
  })

  test.each<[string, () => unknown, string]>([
    ['nothing', () => undefined, 'undefined'],
    ['a promise of nothing', async () => undefined, 'undefined'],
    ['a text', () => 'x', 'string'],
    ['null', async () => null, 'null'],
    ['an object', () => ({ a: 1 }), 'object'],
    ['an error', () => new HttpError(404), 'object'],
    ['a function', () => cors, 'function'],
  ])('a handler that gives %s is the step at fault, with middleware around it and without', async (_, give, told) => {
    for (const around of [[], [cors(), cors()]]) {
      const app = createApp()
      for (const middleware of around) app.use(middleware)
      app.get('/bad', give as never)
      watchErrors(app as unknown as DevApplication, { root })
      const response = await app.fetch(new Request('http://localhost/bad'))
      expect(response.status).toBe(500)
      expect(await response.json()).toMatchObject({
        step: 'handler of GET /bad',
        error: `handler of GET /bad returned ${told} instead of a Response`,
      })
    }
  })

  test.each<[string, (ctx: any, next: any) => unknown, string]>([
    ['nothing, and does not call next()', () => {}, 'undefined'],
    ['next itself', (_ctx, next) => next, 'function'],
    ['middleware', () => cors(), 'function'],
    [
      'nothing, and does not wait for next()',
      (_ctx, next) => {
        next()
      },
      'undefined',
    ],
  ])('a middleware that gives %s is the step at fault', async (_, guard, told) => {
    Object.defineProperty(guard, 'name', { value: 'guard' })
    const app = createApp()
    app.use(cors())
    app.get('/bad', guard as never, async () => json({}))
    watchErrors(app as unknown as DevApplication, { root })
    const response = await app.fetch(new Request('http://localhost/bad'))
    expect(await response.json()).toMatchObject({
      step: 'middleware guard',
      error: `middleware guard returned ${told} instead of a Response`,
    })
  })

  test.each<[string, (ctx: any, next: any) => unknown]>([
    ['returns what next() gives', (_ctx, next) => next()],
    ['waits for next() and returns nothing', async (_ctx, next) => void (await next())],
    ['answers itself', () => json({})],
  ])('a middleware that %s is fine', async (_, guard) => {
    const app = createApp()
    app.use(guard as never)
    app.get('/', async () => json({}))
    watchErrors(app as unknown as DevApplication, { root })
    expect((await app.fetch(new Request('http://localhost/'))).status).toBe(200)
  })

  test('a middleware that calls next() and returns nothing is fine if what is behind it is synchronous', async () => {
    const app = createApp()
    app.use(((_ctx: unknown, next: () => void) => {
      next()
    }) as never)
    app.get('/', () => json({}))
    watchErrors(app as unknown as DevApplication, { root })
    expect((await app.fetch(new Request('http://localhost/'))).status).toBe(200)
  })

  test('a handler that sets `ctx.response` and returns nothing is fine', async () => {
    const app = createApp()
    app.get('/set', ((ctx: { response: Response }) => {
      ctx.response = json({ fine: true })
    }) as never)
    watchErrors(app as unknown as DevApplication, { root })
    expect((await app.fetch(new Request('http://localhost/set'))).status).toBe(200)
  })

  test('answers below 500 stay as they are', async () => {
    const app = createApp()
    app.get('/no', () => {
      throw new HttpError(409, 'Taken')
    })
    app.get('/yes', () => json({ fine: true }))
    watchErrors(app as unknown as DevApplication, { root })
    const ask = async (path: string) => (await app.fetch(new Request(`http://localhost${path}`))).json()
    expect(await ask('/no')).toEqual({ error: 'Taken' })
    expect(await ask('/yes')).toEqual({ fine: true })
  })
})
