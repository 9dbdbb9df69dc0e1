import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { WebSocket } from 'ws'
import { runStories, serveWorkerd } from '../../runtime/serve-workerd.mjs'

/**
 * Channels through Durable Objects, in a real workerd: `node test/channel/workerd/run.mjs`. The suite that all backends
 * pass runs inside, both its sides in one request; what several requests share is asked for from outside.
 */
const here = fileURLToPath(new URL('.', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'sluice-workerd-'))
mkdirSync(join(folder, 'objects'))

await build({
  entryPoints: [join(here, 'worker.ts')],
  outfile: join(folder, 'worker.js'),
  bundle: true,
  format: 'esm',
  conditions: ['sluice-source', 'workerd'],
  alias: { vitest: join(here, 'vitest.ts') },
  external: ['node:*'],
  logLevel: 'error',
})
copyFileSync(join(here, 'config.capnp'), join(folder, 'config.capnp'))
const start = () => serveWorkerd(join(folder, 'config.capnp'), [`--directory-path=objects=${join(folder, 'objects')}`])

let { port, child } = await start()
const killAndStart = async () => {
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await gone
  ;({ port, child } = await start())
}
const ask = (path, init = {}) =>
  fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(120_000), ...init })
const publish = async (topic, event) => {
  const answer = await ask(`/topics/${topic}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `${event}`,
  })
  assert.equal(answer.status, 200, await answer.clone().text())
  return answer.text()
}
const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))
const until = async (what, test) => {
  for (let tries = 0; tries < 1500; tries++) {
    if (test()) return
    await sleep(20)
  }
  assert.fail(`never came: ${what}`)
}
const numbers = (from, to) => Array.from({ length: to - from + 1 }, (_, at) => from + at)

/** A client that comes back with the id that it saw last. */
const follow = async (topic, after) => {
  const seen = { events: [], gaps: 0, connections: 0 }
  let id = after
  let request
  let stopped = false
  const connect = () => {
    if (stopped) return
    const headers = id === undefined ? {} : { 'last-event-id': id }
    seen.connections++
    const again = () => setTimeout(connect, 20)
    request = get({ port, host: '127.0.0.1', path: `/topics/${topic}`, headers, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => {
        text += chunk
        const frames = text.split('\n\n')
        text = frames.pop()
        for (const frame of frames) {
          id = /^id: (.*)$/m.exec(frame)?.[1] ?? id
          if (/^event: gap$/m.test(frame)) seen.gaps++
          const [, event] = /^data: (\d+)$/m.exec(frame) ?? []
          if (event) seen.events.push(Number(event))
        }
      })
      response.on('error', () => {})
      response.on('close', again)
    })
    request.on('error', () => request.res || again())
  }
  connect()
  await until('a place', () => id !== undefined)
  return Object.assign(seen, {
    id: () => id,
    cut: () => request.destroy(),
    stop: () => {
      stopped = true
      request.destroy()
    },
  })
}

const stories = {
  'of 200 events that 200 requests publish at once, each has an id of its own, and two others see one order':
    async () => {
      const [one, two] = [await follow('flood'), await follow('flood')]
      const ids = await Promise.all(numbers(1, 200).map((n) => publish('flood', n)))
      assert.deepEqual(
        ids.map((id) => Number(id.split('-')[1])).sort((a, b) => a - b),
        numbers(1, 200),
      )
      await until('200 events', () => one.events.length >= 200 && two.events.length >= 200)
      assert.deepEqual(one.events, two.events)
      assert.deepEqual(
        [...one.events].sort((a, b) => a - b),
        numbers(1, 200),
      )
      one.stop()
      two.stop()
    },
  'clients that are cut off, an object that fails: each of 20 sees each event once, in order, without a gap':
    async () => {
      const all = await Promise.all(numbers(1, 20).map(() => follow('news')))
      for (const n of numbers(1, 120)) {
        await publish('news', n)
        all[n % 20].cut()
        if (n % 30 === 0) await ask('/abort/news', { method: 'POST' })
      }
      await until('120 events', () => all.every(({ events }) => events.length >= 120))
      await sleep(200)
      for (const { events, gaps } of all) assert.deepEqual([events, gaps], [numbers(1, 120), 0])
      for (const one of all) one.stop()
    },
  'a client that was connected all the time knows nothing of an object that failed': async () => {
    const one = await follow('calm')
    for (const n of numbers(1, 9)) {
      await publish('calm', n)
      if (n % 3 === 0) await ask('/abort/calm', { method: 'POST' })
    }
    await until('9 events', () => one.events.length >= 9)
    assert.deepEqual([one.events, one.gaps, one.connections], [numbers(1, 9), 0, 1])
    one.stop()
  },
  'a room over WebSockets, each in a request of its own': async () => {
    const sockets = numbers(1, 3).map(() => new WebSocket(`ws://127.0.0.1:${port}/rooms/lobby`))
    const heard = sockets.map(() => [])
    for (const [at, socket] of sockets.entries()) socket.on('message', (text) => heard[at].push(Number(`${text}`)))
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.on('open', resolve))))
    // Each waits in `open` until it listens: its own word comes back then
    for (const [at, socket] of sockets.entries()) {
      socket.send(`${at}`)
      await until('its own word', () => heard[at].includes(at))
    }
    await publish('lobby', 7)
    await until('the last word', () => heard.every((all) => all.includes(7)))
    for (const socket of sockets) socket.close()
  },
  'an object that has left memory passes the next event on': async () => {
    const one = await follow('asleep')
    await publish('asleep', 1)
    const before = await (await ask('/made')).json()
    await sleep(12_000)
    await publish('asleep', 2)
    await until('2 events', () => one.events.length >= 2)
    assert.deepEqual([one.events, one.gaps, one.connections], [[1, 2], 0, 1])
    assert.ok((await (await ask('/made')).json()) > before)
    one.stop()
  },
  'kill -9 of workerd: what was answered is there, and who comes back gets it': async () => {
    const one = await follow('crash')
    for (const n of numbers(1, 5)) await publish('crash', n)
    await until('5 events', () => one.events.length >= 5)
    one.stop()
    for (const n of numbers(6, 8)) await publish('crash', n)
    await killAndStart()
    const two = await follow('crash', one.id())
    await publish('crash', 9)
    await until('4 events', () => two.events.length >= 4)
    assert.deepEqual([two.events, two.gaps], [numbers(6, 9), 0])
    two.stop()
  },
}

const contract = {}
for (const [title, failure] of await (await ask('/contract')).json()) contract[title] = () => assert.equal(failure, '')
const failed = await runStories({ ...contract, ...stories })
child.kill('SIGKILL')
rmSync(folder, { recursive: true, force: true })
process.exitCode = failed ? 1 : 0
// Clients that are still coming back
process.exit()
