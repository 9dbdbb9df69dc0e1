import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../free-port.mjs'
import { runCommand } from '../run-command.ts'
import { commandArguments, linkPackages, temporaryFolder } from '../sandbox.ts'
import { plainEnv, type Server, startServer } from './packed.ts'

let project = ''
let server: Server

beforeAll(async () => {
  const parent = temporaryFolder()
  await runCommand(parent, ['new', 'blog', '--template', 'default', '--db', 'none', '--no-install', '--no-git'])
  project = join(parent, 'blog')
  linkPackages(project)
  const app = join(project, 'src/app.ts')
  writeFileSync(
    app,
    readFileSync(app, 'utf8')
      .replace('import { routes }', 'import { registerRoutes }')
      .replace("\n  .mount('/', routes)\n", '\nregisterRoutes(app)\n'),
  )
  routes("app.get('/health', () => json({ version: 1 }))")
  // An empty variable is as if it were not set
  server = await startServer(project, process.execPath, [...commandArguments, 'dev', '--port', String(PORT)], {
    NODE_ENV: '',
  })
})
afterAll(() => server.stop())

const PORT = await freePort()

/** Save the routes: in place, or as editors do, by renaming a new file over the old one. */
const routes = (body: string, rename = false): void => {
  const path = join(project, 'src/routes.ts')
  const source = `import { type App, HttpError, json } from 'sluice'\n\nexport const registerRoutes = (app: App): void => {\n  void HttpError\n  ${body}\n}\n`
  writeFileSync(rename ? `${path}.new` : path, source)
  if (rename) renameSync(`${path}.new`, path)
}

/** What a path answers; undefined while nobody listens. */
const ask = async (path: string, accept = '*/*') => {
  try {
    const response = await fetch(`http://localhost:${PORT}${path}`, {
      headers: { accept, authorization: 'Bearer s3cret' },
      signal: AbortSignal.timeout(2000),
    })
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
  } catch {
    return undefined
  }
}

/** Wait until it holds, 40 s at most. */
const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  const deadline = Date.now() + 40_000
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`It did not come to hold within 40 s:\n${server.printed()}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const answers = (text: string, path = '/health') => until(async () => (await ask(path))?.text.includes(text) === true)

describe('G16: dev', () => {
  test('a saved change is served, however the editor saves', async () => {
    await answers('"version":1')
    for (let version = 2; version < 6; version++) {
      routes(`app.get('/health', () => json({ version: ${version} }))`, version % 2 === 0)
      await answers(`"version":${version}`)
      expect(await ask('/health')).toMatchObject({ status: 200, text: `{"version":${version}}` })
    }
  })

  test('P27: a syntax error is a page with the line, which disappears after the next save', async () => {
    routes('app.get(')
    await until(async () => (await ask('/health', 'text/html'))?.status === 500)
    expect(server.printed()).toContain('waiting for a change')
    const page = await ask('/health', 'text/html')
    expect(page?.type).toContain('text/html')
    expect(page?.text).toContain('The application is not running')
    expect(page?.text).toContain('src/routes.ts:6')
    expect(page?.text).toMatch(/app\.get\(/)
    const data = JSON.parse((await ask('/anything', 'application/json'))?.text ?? '')
    expect(data).toMatchObject({ error: 'The application is not running', output: expect.any(Array) })
    routes("app.get('/health', () => json({ version: 'back' }))")
    await answers('"version":"back"')
  })

  test('P27, F6: the error page is for this machine only, and runs only its own script', async () => {
    routes('throw new Error("no <b>configuration</b>")')
    await until(async () => (await ask('/', 'text/html'))?.text.includes('no &lt;b&gt;configuration') === true)
    const page = await ask('/', 'text/html')
    expect(page?.text).toContain('src/routes.ts:5')
    const strange = await new Promise<{ status: number; text: string }>((resolve, reject) => {
      const headers = { host: 'evil.example', accept: 'text/html' }
      const asked = get({ host: 'localhost', port: PORT, headers }, (response) => {
        let text = ''
        response.on('data', (chunk) => (text += chunk))
        response.once('end', () => resolve({ status: response.statusCode ?? 0, text }))
      })
      asked.once('error', reject)
    })
    expect(strange).toEqual({ status: 503, text: '{"error":"Service Unavailable"}' })
  })

  test('P27: an application that ends itself, while it starts or later, leaves what it said', async () => {
    routes("console.error('DATABASE_URL is missing'); process.exit(3)")
    await until(async () => (await ask('/', 'text/html'))?.text.includes('DATABASE_URL is missing') === true)
    await until(() => server.printed().includes('exit code 3'))
    routes("app.get('/crash', () => { setTimeout(() => { throw new Error('later') }, 10); return json({}) })")
    await until(async () => (await ask('/crash'))?.status === 200)
    await until(async () => (await ask('/health', 'text/html'))?.text.includes('Error: later') === true)
    expect(await ask('/', 'text/html')).toMatchObject({ status: 500, type: expect.stringContaining('text/html') })
    routes("app.get('/health', () => json({ version: 'again' }))")
    await answers('"version":"again"')
    expect(await ask('/health')).toMatchObject({ status: 200, text: '{"version":"again"}' })
  })

  test('an application that waits while it starts says so', async () => {
    routes('}\nawait new Promise((resolve) => setTimeout(resolve, 1e6))\nif (json) {')
    await until(() => server.printed().includes('The application has not started yet'))
    routes("app.get('/health', () => json({ version: 'late' }))")
    await answers('"version":"late"')
  })

  test.each([
    ['ends without a word and with exit code 0', 'process.exit(0)', 'exit code 0'],
    ['is killed', "process.kill(process.pid, 'SIGKILL')", 'SIGKILL'],
  ])('P27: an application that %s has a page too', async (_, body, reason) => {
    routes(body)
    await until(async () => (await ask('/', 'text/html'))?.text.includes(reason) === true)
    expect((await ask('/'))?.text).toContain('The application is not running')
    await until(() => server.printed().includes(reason))
    routes("app.get('/health', () => json({ version: 'alive' }))")
    await answers('"version":"alive"')
  })

  test('P27: saves in quick succession end with the last one served', async () => {
    for (let version = 100; version < 106; version++) {
      routes(`app.get('/health', () => json({ version: ${version} }))`, version % 2 === 0)
      await new Promise((resolve) => setTimeout(resolve, 60 * (version % 4)))
    }
    await answers('"version":105')
    await new Promise((resolve) => setTimeout(resolve, 1000))
    // A machine under load may hear of the last save only now
    let last: Awaited<ReturnType<typeof ask>>
    await until(async () => {
      last = await ask('/health')
      return last !== undefined
    })
    expect(last?.text).toContain('"version":105')
  })

  test('P27: a request that is under way when a file changes is answered', async () => {
    routes(
      "app.get('/slow', async () => { await new Promise((r) => setTimeout(r, 700)); return json({ slow: true }) })",
    )
    await until(async () => (await ask('/slow'))?.status === 200)
    const slow = ask('/slow')
    await new Promise((resolve) => setTimeout(resolve, 200))
    routes("app.get('/health', () => json({ version: 'new' }))")
    await answers('"version":"new"')
    expect((await slow)?.text).toBe('{"slow":true}')
  })

  test('a change in a folder that was made meanwhile is seen', async () => {
    mkdirSync(join(project, 'src/late'))
    await new Promise((resolve) => setTimeout(resolve, 300))
    writeFileSync(join(project, 'src/late/one.ts'), "export const late = 'one'\n")
    routes("app.get('/late', async () => json({ late: (await import('./late/one.ts')).late }))")
    await answers('"late":"one"', '/late')
    writeFileSync(join(project, 'src/late/one.ts'), "export const late = 'two'\n")
    await answers('"late":"two"', '/late')
    expect(await ask('/late')).toMatchObject({ status: 200, text: '{"late":"two"}' })
    rmSync(join(project, 'src/late'), { recursive: true })
  })

  test('the error page has the message, the step, the source and the request; no markup and no secret gets through', async () => {
    routes("app.get('/boom/:id', () => { throw new TypeError('<b>broken</b>') })")
    await until(async () => (await ask('/boom/7'))?.status === 500)
    const page = await ask('/boom/7?x=%3Cscript%3E', 'text/html')
    expect(page?.status).toBe(500)
    expect(page?.type).toContain('text/html')
    expect(page?.text).toContain('&lt;b&gt;broken&lt;/b&gt;')
    expect(page?.text).not.toContain('<b>broken')
    expect(page?.text).not.toContain('<script>')
    expect(page?.text).not.toContain('s3cret')
    expect(page?.text).toContain('handler of GET /boom/:id')
    expect(page?.text).toMatch(/src\/routes\.ts:5:\d+/)
    expect(page?.text).toMatch(/<mark>.*app\.get\(/)
    expect(page?.text).toContain('/boom/7')
    const data = JSON.parse((await ask('/boom/7', 'application/json'))?.text ?? '')
    expect(data).toMatchObject({
      error: '<b>broken</b>',
      name: 'TypeError',
      step: 'handler of GET /boom/:id',
      where: expect.stringContaining('src/routes.ts:5'),
    })
  })

  test('FX1: the inspector shows requests, to this machine only, and its URL is printed', async () => {
    routes("app.get('/seen/:id', () => json({}))\n  app.get('/thrown', () => { throw new TypeError('<b>thrown</b>') })")
    await until(async () => (await ask('/seen/7'))?.status === 200)
    await ask('/thrown')
    expect(server.printed()).toContain(`http://localhost:${PORT}/__sluice`)
    const page = await ask('/__sluice', 'text/html')
    expect(page?.status).toBe(200)
    expect(page?.text).toContain('/seen/7')
    expect(page?.text).toContain('TypeError')
    const [, id] = /\/__sluice\/requests\/(\d+)">\/thrown/.exec(page?.text ?? '') ?? []
    const detail = await ask(`/__sluice/requests/${id}`)
    expect(detail?.text).toContain('handler of GET /thrown')
    expect(detail?.text).toContain('&lt;b&gt;thrown')
    expect(detail?.text).toContain('src/routes.ts:6')
    expect(detail?.text).not.toContain('s3cret')
    const strange = await new Promise<number | undefined>((resolve, reject) => {
      const asked = get(
        { host: 'localhost', port: PORT, path: '/__sluice', headers: { host: 'evil.example' } },
        (response) => {
          response.resume()
          resolve(response.statusCode)
        },
      )
      asked.once('error', reject)
    })
    expect(strange).toBe(404)
  })

  test('P27: the request that a page waits with is answered when the application restarts, and not later', async () => {
    routes("app.get('/', () => json({ now: 'before' }))")
    await answers('before', '/')
    const known = (await ask('/__sluice/started'))?.text
    const waiting = fetch(`http://localhost:${PORT}/__sluice/started?known=${known}`).then((response) =>
      response.text(),
    )
    await new Promise((resolve) => setTimeout(resolve, 200))
    routes("app.get('/', () => { throw new Error('after') })")
    expect(await waiting).toBe(known)
    await until(async () => (await ask('/', 'text/html'))?.text.includes('after') === true)
    expect((await ask('/', 'text/html'))?.text).toContain('<script src="/__sluice/reload.js" async></script>')
    const next = (await ask('/__sluice/started'))?.text
    expect(next).toMatch(/^[\w-]{36}$/)
    expect(next).not.toBe(known)
  })

  test('a middleware that throws is named; what the application answers itself stays', async () => {
    routes(
      "app.use(async function checkBadge(ctx, next) { if (ctx.path === '/guarded') throw new Error('no badge'); return next() })\n" +
        "  app.get('/guarded', () => json({}))\n  app.get('/refused', () => { throw new HttpError(409, 'Refused') })",
    )
    await until(async () => (await ask('/guarded'))?.status === 500)
    expect(JSON.parse((await ask('/guarded'))?.text ?? '')).toMatchObject({
      error: 'no badge',
      step: 'middleware checkBadge',
    })
    expect(await ask('/refused', 'text/html')).toMatchObject({ status: 409, text: '{"error":"Refused"}' })
    expect((await ask('/nowhere', 'text/html'))?.status).toBe(404)
  })
})

test.each(['localhost', '127.0.0.1'])(
  'P27: a port that is taken on %s: the next free one is used, and said',
  async (host) => {
    const port = await freePort()
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(port, '127.0.0.1', resolve))
    const second = await startServer(project, process.execPath, [
      ...commandArguments,
      'dev',
      '--port',
      String(port),
      '--host',
      host,
    ])
    try {
      // A connection of another test may hold the one that comes next
      const used = Number(new URL(second.address).port)
      expect({ isNear: used > port && used < port + 10, address: second.address }).toEqual({
        isNear: true,
        address: `http://${host}:${used}`,
      })
      expect(second.printed()).toContain(`Port ${port} is in use, using ${used}`)
    } finally {
      await second.stop()
      taken.close()
    }
  },
)

test('an application that listens itself is told so', async () => {
  const parent = temporaryFolder()
  await runCommand(parent, ['new', 'own', '--template', 'minimal', '--db', 'none', '--no-install', '--no-git'])
  linkPackages(join(parent, 'own'))
  const app =
    "import { createApp } from 'sluice'\nexport const app = createApp()\nawait app.listen(Number(process.env.PORT))\n"
  writeFileSync(join(parent, 'own/src/app.ts'), app)
  const port = await freePort()
  const child = spawn(process.execPath, [...commandArguments, 'dev', '--port', String(port)], {
    cwd: join(parent, 'own'),
    env: plainEnv(),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  try {
    await until(() =>
      fetch(`http://localhost:${port}/`).then(
        async (page) => (await page.text()).includes('call listen()'),
        () => false,
      ),
    )
    expect(said).toContain(`Port ${port} is in use`)
    expect(said).toContain('waiting for a change')
  } finally {
    child.kill('SIGINT')
  }
})

test('G18: SIGINT ends dev with 130, and its server with it', async () => {
  const port = await freePort()
  const child = spawn(process.execPath, [...commandArguments, 'dev', '--port', String(port)], {
    cwd: project,
    env: plainEnv(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise((resolve) => child.stdout.once('data', resolve))
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGINT')
  expect(await ended).toBe(130)
  await until(() =>
    fetch(`http://localhost:${port}/`).then(
      () => false,
      () => true,
    ),
  )
})

test('G18: killed outright, its server still ends', async () => {
  const port = await freePort()
  const child = spawn(process.execPath, [...commandArguments, 'dev', '--port', String(port)], {
    cwd: project,
    env: plainEnv(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise((resolve) => child.stdout.once('data', resolve))
  const ended = new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)))
  child.kill('SIGKILL')
  expect(await ended).toBe('SIGKILL')
  const answer = (): Promise<unknown> =>
    fetch(`http://localhost:${port}/`).then(
      ({ status }) => status,
      (error) => error.cause?.code,
    )
  await until(async () => typeof (await answer()) !== 'number')
  expect(await answer()).toBe('ECONNREFUSED')
})
