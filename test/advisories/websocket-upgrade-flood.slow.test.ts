import { IncomingMessage, ServerResponse } from 'node:http'
import { queryObjects } from 'node:v8'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { createApp } from '../../src/app.ts'
import { webSocket } from '../../src/websocket.ts'
import { eventually, kinds, statuses, type Wire } from '../node/wire.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  vi.restoreAllMocks()
})

const MANY = 100
const KEY = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
const BEGUN = `GET /live HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n`

/** What clients without credentials do. */
const HOSTILE: readonly string[] = [
  // An upgrade that is begun and never finished
  BEGUN,
  // Upgrades that are refused, of clients that never close, or go on sending
  `${BEGUN}${KEY}\r\n`,
  `${BEGUN}${KEY}\r\n${'x'.repeat(1000)}`,
  `${BEGUN}Authorization: yes\r\nSec-WebSocket-Key: short\r\n\r\n`,
]

/** Open connections of this process, those of the clients too. */
const connections = (): number => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length

/** Requests and responses that are still referenced, after a garbage collection. */
const kept = (): number =>
  queryObjects(IncomingMessage, { format: 'count' }) + queryObjects(ServerResponse, { format: 'count' })

describe.each(kinds)('%s', (_, options, openTo) => {
  test('a flood of upgrades without credentials leaves nothing behind, and others are answered meanwhile', async () => {
    const opened = vi.fn()
    const app = createApp().get(
      '/live',
      (ctx, next) => (ctx.header('authorization') ? next() : ctx.json({ error: 'Unauthorized' }, 401)),
      webSocket(() => ({ open: opened, message: (socket, message) => socket.send(message) })),
    )
    const before = { connections: connections(), kept: kept() }
    const handle = await app.listen({
      port: 0,
      hostname: '127.0.0.1',
      graceMs: 300,
      headersTimeoutMs: 3000,
      ...options,
    })
    const echo = async (): Promise<string> => {
      const socket = new WebSocket(`${handle.url.replace('http', 'ws')}/live`, {
        headers: { authorization: 'yes' },
        rejectUnauthorized: false,
      })
      const got = new Promise<string>((resolve, reject) => {
        socket.on('error', reject)
        socket.on('message', (content) => resolve(content.toString()))
      })
      socket.on('open', () => socket.send('hello'))
      const closed = new Promise((resolve) => socket.on('close', resolve))
      const text = await got
      socket.close()
      await closed
      return text
    }
    expect(await echo()).toBe('hello')
    const wires: Wire[] = await Promise.all(Array.from({ length: MANY }, () => openTo(handle.port!)))
    for (const [at, wire] of wires.entries()) wire.write(HOSTILE[at % HOSTILE.length]!)
    expect(await echo()).toBe('hello')
    await Promise.all(wires.map((wire) => wire.closed()))
    expect(await echo()).toBe('hello')
    // Those that did not finish are told so, or cut
    for (const wire of wires) expect(['', '400', '401', '408']).toContain(statuses(wire.text()).join())
    expect(opened).toHaveBeenCalledTimes(3)
    wires.splice(0)
    await handle.close()
    await eventually(() => connections() <= before.connections, 'the end of all connections')
    // Vitest and Node keep a few of their own
    await eventually(() => kept() < before.kept + MANY / 4, 'the end of all requests')
  })
})
