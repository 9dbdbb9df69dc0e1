import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** Run a fixture in a process of its own: what ends a process cannot be seen from inside. */
const run = (name: string, ...args: string[]): Promise<any> =>
  new Promise((resolve, reject) => {
    const file = fileURLToPath(new URL(`fixtures/${name}.ts`, import.meta.url))
    const root = fileURLToPath(new URL('../..', import.meta.url))
    const child = spawn(
      process.execPath,
      ['--expose-gc', '--import', 'tsx', '--conditions=sluice-source', file, ...args],
      { cwd: root },
    )
    let output = ''
    let errors = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
    })
    child.stderr.on('data', (chunk) => {
      errors += chunk
    })
    const deadline = setTimeout(() => child.kill('SIGKILL'), 110_000)
    child.on('exit', (code) => {
      clearTimeout(deadline)
      if (code === 0) resolve({ ...JSON.parse(output.trim().split('\n').at(-1)!), errors })
      else reject(new Error(`Exit code ${code}: ${errors.slice(0, 2000)}`))
    })
  })

test('300 mixed aborts and 10,000 in a row: nothing unhandled, every source cancelled, no request or timer kept', async () => {
  const { opened, cancelled, kept, timers, alive, errors } = await run('aborts')
  // Clients that have gone before their connection was accepted never reach a handler
  expect(opened).toBeGreaterThan(500)
  expect(cancelled).toBe(opened)
  expect(kept).toBeLessThan(100)
  expect(timers).toBeLessThan(5)
  expect(alive).toBe(404)
  expect(errors).not.toMatch(/Unhandled|MaxListeners/)
}, 120_000)

test('a slow reader of a 1 GB stream: the source waits, and is never 64 MB ahead of the reader', async () => {
  const { received, held, ahead } = await run('slow-reader')
  expect(received).toBeGreaterThan(1024 ** 3)
  expect(held).toBeLessThan(16 * 1024 * 1024)
  expect(ahead).toBeLessThan(64 * 1024 * 1024)
}, 120_000)

test('no module touches timers, randomness or the clock while it is imported, and none wakes undici', async () => {
  // Runtimes that are not this one, and databases, whose drivers are not ours.
  const { modules, effects, wasAsleep, isAsleep, timers } = await run('purity', '^(runtime/(bun|deno)|database)/')
  expect(modules).toBeGreaterThan(100)
  expect(effects).toEqual([])
  expect({ wasAsleep, isAsleep, timers }).toEqual({ wasAsleep: true, isAsleep: true, timers: 0 })
}, 60_000)

test("text and JSON, parameters, queries, HEAD, 404 and an upload are answered while the platform's classes sleep", async () => {
  expect(await run('first-answer')).toMatchObject({
    atImport: true,
    afterAnswers: true,
    statuses: [200, 200, 200, 404, 200],
  })
}, 60_000)

test('soak: sessions of HTTP/2 that end by a protocol error are let go', async () => {
  const { made, kept } = await run('http2-noise')
  expect(made).toBeGreaterThan(100)
  // The last ones may be held by what the process did last
  expect(kept).toBeLessThan(5)
}, 120_000)
