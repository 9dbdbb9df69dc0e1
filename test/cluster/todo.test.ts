import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { until } from '../channel/followers.ts'
import { freePort } from '../free-port.mjs'
import { describeService } from '../services.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** The example as a process, which listens when this resolves. */
const start = async (folder: string, env: NodeJS.ProcessEnv): Promise<number> => {
  const port = await freePort()
  const args = ['--import', 'tsx', '--conditions=sluice-source', 'examples/node/server.ts']
  const child: ChildProcess = spawn(process.execPath, args, {
    cwd: root,
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      TSX_TSCONFIG_PATH: `${root}tsconfig.json`,
      DATABASE_URL: `sqlite:${join(folder, 'todos.sqlite')}`,
      PORT: `${port}`,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gone = new Promise((resolve) => child.once('exit', resolve))
  ends.push(() => {
    child.kill('SIGTERM')
    return gone
  })
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout! }).on('line', (line) => line.includes(`${port}`) && resolve())
    child.once('exit', (code) => reject(new Error(`the example ended with ${code}`)))
  })
  return port
}

/** What `/events` has sent so far. */
const listen = async (port: number, after?: string): Promise<() => string> => {
  let text = ''
  const headers = after === undefined ? {} : { 'last-event-id': after }
  const request = get({ port, host: '127.0.0.1', path: '/events', headers, agent: false }, (response) => {
    response.setEncoding('utf8').on('data', (chunk) => {
      text += chunk
    })
    response.on('error', () => {})
  })
  request.on('error', () => {})
  ends.push(() => request.destroy())
  await until(() => text.includes('\n\n'))
  return () => text
}

const add = (port: number, title: string): Promise<Response> =>
  fetch(`http://127.0.0.1:${port}/todos`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ title }),
  })

const folderOf = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-todo-'))
  ends.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

describeService('redis', 'examples/node', (url) => {
  test('CH3: two processes show each other what changes, and bring what was missed, with REDIS_URL', async () => {
    const folder = folderOf()
    const env = { REDIS_URL: url, PREFIX: `todo:${randomUUID()}:` }
    // One after the other: the first makes the table
    const first = await start(folder, env)
    const second = await start(folder, env)
    const [here, there] = [await listen(first), await listen(second)]
    expect((await add(first, 'from the first')).status).toBe(201)
    await until(() => [here, there].every((text) => text().includes('from the first')))
    const id = Array.from(there().matchAll(/^id: (.*)$/gm)).at(-1)![1]!
    await add(second, 'from the second')
    await until(() => [here, there].every((text) => text().includes('from the second')))
    expect(there()).toContain('event: added')
    const missed = await listen(first, id)
    await until(() => missed().includes('from the second'))
    expect(missed()).not.toContain('from the first')
  }, 60_000)

  test('CH3: without it, a process sees only its own changes', async () => {
    const folder = folderOf()
    const first = await start(folder, { REDIS_URL: '' })
    const second = await start(folder, { REDIS_URL: '' })
    const [here, there] = [await listen(first), await listen(second)]
    await add(first, 'from the first')
    await until(() => here().includes('from the first'))
    await add(second, 'from the second')
    await until(() => there().includes('from the second'))
    expect({
      here: here().includes('from the second'),
      there: there().includes('from the first'),
    }).toEqual({ here: false, there: false })
  }, 60_000)
})
