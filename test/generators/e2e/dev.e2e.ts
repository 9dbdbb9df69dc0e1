import { spawn } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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
  routes("app.get('/health', () => json({ version: 1 }))")
  server = await startServer(project, process.execPath, [...commandArguments, 'dev', '--port', String(PORT)])
})
afterAll(() => server.stop())

const PORT = 41_000 + (process.pid % 1000)

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

/** Wait until it holds, 10 s at most. */
const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  const deadline = Date.now() + 10_000
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`It did not come to hold within 10 s:\n${server.printed()}`)
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
    }
  })

  test('a syntax error ends the server, is told, and the next save brings it back', async () => {
    routes('app.get(')
    await until(() => server.printed().includes('waiting for a change'))
    expect(await ask('/health')).toBeUndefined()
    routes("app.get('/health', () => json({ version: 'back' }))")
    await answers('"version":"back"')
  })

  test('a crash while it runs: it waits, and comes back on the next save', async () => {
    routes("app.get('/crash', () => { setTimeout(() => { throw new Error('later') }, 10); return json({}) })")
    await until(async () => (await ask('/crash')) !== undefined)
    await until(async () => (await ask('/health')) === undefined)
    routes("app.get('/health', () => json({ version: 'again' }))")
    await answers('"version":"again"')
  })

  test('a change in a folder that was made meanwhile is seen', async () => {
    mkdirSync(join(project, 'src/late'))
    await new Promise((resolve) => setTimeout(resolve, 300))
    writeFileSync(join(project, 'src/late/one.ts'), "export const late = 'one'\n")
    routes("app.get('/late', async () => json({ late: (await import('./late/one.ts')).late }))")
    await answers('"late":"one"', '/late')
    writeFileSync(join(project, 'src/late/one.ts'), "export const late = 'two'\n")
    await answers('"late":"two"', '/late')
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

test('G18: SIGINT ends dev with 130, and its server with it', async () => {
  const port = PORT + 1000
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
  const port = PORT + 2000
  const child = spawn(process.execPath, [...commandArguments, 'dev', '--port', String(port)], {
    cwd: project,
    env: plainEnv(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise((resolve) => child.stdout.once('data', resolve))
  child.kill('SIGKILL')
  await until(() =>
    fetch(`http://localhost:${port}/`).then(
      () => false,
      () => true,
    ),
  )
})
