import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { freePort } from '../free-port.mjs'
import { packTarball, runProgram, type Server, startServer } from '../generators/e2e/packed.ts'

/** A Next application with packages of its own: `npm install --no-save --ignore-scripts --prefix test/next/app`. */
const project = fileURLToPath(new URL('./app/', import.meta.url))
const command = join(project, 'node_modules/next/dist/bin/next')
const installed = existsSync(command)
if (!installed && process.env.SLUICE_REQUIRE_SERVICES === '1') throw new Error(`not installed: ${project}`)
const env = { NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' }

/** As npm puts it there; nothing of it is in the lock of the application. */
const installSluice = (): void => {
  const own = join(project, 'node_modules/sluice')
  rmSync(own, { recursive: true, force: true })
  mkdirSync(own)
  spawnSync('tar', ['-xzf', packTarball(), '-C', own, '--strip-components=1'])
}

test('OP5: the recipes of docs/node-servers.md are the files that run here', () => {
  const page = readFileSync(fileURLToPath(new URL('../../docs/node-servers.md', import.meta.url)), 'utf8')
  for (const file of ['pages/api/[[...path]].js', 'server.js'])
    expect(page).toContain(`\`\`\`ts\n${readFileSync(join(project, file), 'utf8')}\`\`\`\n`)
})

describe.runIf(installed)(`OP5: Next${installed ? '' : ' (skipped: test/next/app is not installed)'}`, () => {
  beforeAll(() => {
    installSluice()
    rmSync(join(project, '.next'), { recursive: true, force: true })
    const { status, out } = runProgram(project, process.execPath, [command, 'build'], env)
    expect(status, out).toBe(0)
  })

  const ways: [string, (port: string) => string[]][] = [
    ['a handler of pages/api', (port) => [command, 'start', '--hostname', '127.0.0.1', '--port', port]],
    ['a server of your own', () => ['server.js']],
  ]

  describe.each(ways)('OP5: %s', (_, args) => {
    let server: Server
    let url = ''
    beforeAll(async () => {
      const port = `${await freePort()}`
      url = `http://127.0.0.1:${port}`
      server = await startServer(project, process.execPath, args(port), { ...env, PORT: port })
      // `next start` tells its address before it listens
      await vi.waitFor(() => fetch(`${url}/api/gone`), { timeout: 20_000, interval: 50 })
    })
    afterAll(() => server?.stop())

    const ask = async (path: string, init?: RequestInit) => {
      const response = await fetch(url + path, { signal: AbortSignal.timeout(20_000), ...init })
      return { status: response.status, body: await response.text() }
    }
    const post = (body: string): RequestInit => ({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })

    test('OP5: a route, with the whole path, the query and a cookie', async () => {
      const response = await fetch(`${url}/api/hello/ada?q=1`)
      expect(await response.json()).toEqual({ hello: 'ada', path: '/api/hello/ada', query: '1' })
      expect(response.headers.getSetCookie()).toEqual(['seen=1'])
      const head = await fetch(`${url}/api/hello/ada`, { method: 'HEAD' })
      expect({ status: head.status, text: await head.text() }).toEqual({ status: 200, text: '' })
    })

    test('OP5: posted JSON reaches the application, which refuses invalid JSON and bodies that are too long', async () => {
      expect(await ask('/api/orders', post('{"a":[1]}'))).toEqual({ status: 201, body: '{"a":[1]}' })
      expect((await ask('/api/orders', post('{'))).status).toBe(400)
      expect((await ask('/api/orders', post(`"${'x'.repeat(2_000_000)}"`))).status).toBe(413)
    })

    test.each([
      ['a stream', '/api/stream', 'identity'],
      ['a stream of events, which Next may not compress,', '/api/events', 'gzip'],
    ])('OP5: %s comes piece by piece', async (_, path, coding) => {
      const response = await fetch(url + path, { headers: { 'accept-encoding': coding } })
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
      expect(await reader.read()).toEqual({ done: false, value: expect.stringContaining('first') })
      await ask('/api/go-on', { method: 'POST' })
      expect(await reader.read()).toEqual({ done: false, value: expect.stringContaining('second') })
      expect((await reader.read()).done).toBe(true)
    })

    test('OP5: the pages of Next stand beside it, and each has the 404 of its own', async () => {
      expect(await ask('/')).toEqual({ status: 200, body: expect.stringContaining('a page of Next') })
      expect(await ask('/nowhere')).toEqual({ status: 404, body: expect.stringContaining('<html') })
      expect((await ask('/api/nowhere')).status).toBe(404)
    })

    test('OP5: the signal aborts when the client goes', async () => {
      const gone = async (): Promise<number> => JSON.parse((await ask('/api/gone')).body).gone
      const before = await gone()
      const leave = new AbortController()
      const answer = fetch(`${url}/api/waits`, { signal: leave.signal }).catch(() => 'gone')
      await vi.waitFor(async () => expect((await ask('/api/waiting')).body).toBe('1'), { timeout: 10_000 })
      leave.abort()
      expect(await answer).toBe('gone')
      await vi.waitFor(async () => expect(await gone()).toBe(before + 1), { timeout: 10_000 })
    })
  })
})
