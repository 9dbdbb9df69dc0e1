import { EventEmitter, once } from 'node:events'
import { expect, test } from 'vitest'
import { trackConnections } from '../../src/runtime/node/connections.ts'
import { createSweep } from '../../src/runtime/node/http2-limits.ts'

/** A connection with TLS above it, as far as the sweep looks at them. */
const connect = (server: EventEmitter, counts: { bytesWritten: number; writeQueueSize: number }, above: number) => {
  const make = (more: object) =>
    Object.assign(new EventEmitter(), { remoteAddress: '127.0.0.1', destroyed: false }, more, {
      destroy(this: EventEmitter & { destroyed: boolean }) {
        this.destroyed = true
        this.emit('close')
      },
    })
  const below = make({ _handle: counts })
  const secured = make({ _parent: below, writableLength: above })
  server.emit('connection', below)
  server.emit('secureConnection', secured)
  return { below, secured }
}

test('soak: only a TLS connection whose write Node has forgotten is cut after sendTimeoutMs', async () => {
  const server = new EventEmitter()
  trackConnections(server as never, false, 60)
  const idle = connect(server, { bytesWritten: 10, writeQueueSize: 0 }, 0)
  const counts = { bytesWritten: 10, writeQueueSize: 0 }
  // Each look finds more sent than the one before
  const moving = connect(server, Object.defineProperty(counts, 'bytesWritten', { get: () => performance.now() }), 500)
  const stuck = connect(server, { bytesWritten: 10, writeQueueSize: 0 }, 500)
  await once(stuck.below, 'close')
  server.emit('close')
  expect(stuck.secured.destroyed).toBe(true)
  expect([idle, moving].map(({ below, secured }) => ({ below: below.destroyed, secured: secured.destroyed }))).toEqual([
    { below: false, secured: false },
    { below: false, secured: false },
  ])
})

test('soak: the connection of a session of HTTP/2 that is over, and that Node forgot a write of, is cut at the second look', () => {
  const never = { requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 0, sendTimeout: 0 }
  const sweep = createSweep({ ...never, connectionsCheckingInterval: 1 })
  const watch = (destroyed: boolean) => {
    const socket = Object.assign(new EventEmitter(), { destroyed: false, destroy: () => socket.emit('close') })
    let cut = false
    socket.once('close', () => {
      cut = true
    })
    sweep.watch(Object.assign(new EventEmitter(), { destroyed, closed: false }) as never, socket as never)
    return () => cut
  }
  const [over, open] = [watch(true), watch(false)]
  sweep.check()
  // Node may still be writing why
  expect({ over: over(), open: open() }).toEqual({ over: false, open: false })
  sweep.check()
  expect({ over: over(), open: open() }).toEqual({ over: true, open: false })
})
