import { EventEmitter } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import express from 'express'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createApp } from '../../src/app.ts'
import { json } from '../../src/respond/json.ts'
import { text } from '../../src/respond/text.ts'
import { toNodeHandler } from '../../src/to-node-handler.ts'
import { webSocket } from '../../src/websocket.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

describe('found by a reader of what stands on Node', () => {
  test('F17: a connection that asks for other upgrades again and again has no more listeners than before', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    const app = createApp()
      .get(
        '/socket',
        webSocket(() => ({})),
      )
      .get('/', () => text('hi'))
    const sockets = new Set<EventEmitter>()
    const { on } = EventEmitter.prototype
    vi.spyOn(EventEmitter.prototype, 'on').mockImplementation(function (this: EventEmitter, name, listener) {
      if (name === 'drain' && 'remoteAddress' in this) sockets.add(this)
      return on.call(this, name, listener)
    })
    const server = await app.listen({ port: 0 })
    const client = connect(server.port!, '127.0.0.1')
    let answers = 0
    const counts: number[] = []
    for (let round = 1; round <= 40; round++) {
      client.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n')
      while (answers < round) {
        const chunk: Buffer = await new Promise((resolve) => client.once('data', resolve))
        answers += chunk.toString().split('HTTP/1.1 200').length - 1
      }
      if (round === 2 || round === 40)
        counts.push([...sockets].reduce((sum, one) => sum + one.listenerCount('close') + one.listenerCount('error'), 0))
    }
    client.destroy()
    await server.close()
    expect(counts[0]).toBeGreaterThan(0)
    expect(counts[1]).toBe(counts[0])
    expect(warned).not.toHaveBeenCalled()
  })

  const deep = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`
  test.each([
    ['shallow', deep(50), 200],
    ['deep', deep(20_000), 400],
  ])('F5: a body of JSON that a parser in front has read, nested %s, ends no process', async (_, body, status) => {
    const thrown: unknown[] = []
    const note = (error: unknown): void => void thrown.push(error)
    const handler = toNodeHandler(createApp().post('/', async (ctx) => json(Array.isArray(await ctx.json()))))
    const parse = express.json({ limit: '1mb' })
    const server = createServer((incoming, outgoing) =>
      parse(incoming as never, outgoing as never, () => {
        try {
          handler(incoming, outgoing)
        } catch (error) {
          note(error)
          outgoing.end()
        }
      }),
    )
    try {
      await new Promise<void>((resolve) => server.listen(0, resolve))
      const { port } = server.address() as AddressInfo
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers })
      expect({ status: response.status, thrown }).toEqual({ status, thrown: [] })
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })
})
