import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createApp } from '../../src/app.ts'
import { socket } from '../../src/client/socket.ts'
import { createClient } from '../../src/client.ts'
import { webSocket } from '../../src/websocket.ts'
import { object, string } from '../../src/z.ts'
import { readSocket } from '../client/read-socket.ts'
import { start } from './serving.ts'

describe('WS3: with a server', () => {
  const appOf = () =>
    createApp()
      .get(
        '/rooms/:room',
        webSocket(
          (ctx) => ({
            open: (one) => one.send(JSON.stringify({ said: `in ${ctx.params.room}, after ${ctx.query.get('after')}` })),
            message: (one, { text }) => one.send(JSON.stringify({ said: text })),
          }),
          { messages: object({ text: string() }), sends: object({ said: string() }), protocols: ['v1'] },
        ),
      )
      .get('/guarded', (ctx) => ctx.json({ error: 'Unauthorized' }, 401))
  const connect = (url: string, protocols: string[]) => new WebSocket(url, protocols)

  test('WS3: typed messages go both ways, and over to the server that takes its place', async () => {
    const first = await start(appOf())
    const api = createClient<ReturnType<typeof appOf>>({ baseUrl: first.url })
    const heard: string[] = []
    const query = {
      get after() {
        return heard.length
      },
    }
    const chat = socket(api, '/rooms/:room', {
      params: { room: 'lobby' },
      query,
      protocols: ['v1'],
      connect,
      retryMs: 50,
    })
    chat.sendJson({ text: 'hello' })
    for await (const message of chat) {
      heard.push(message.json().said)
      if (heard.length === 2) {
        await first.close()
        await start(appOf(), { port: first.port! })
        chat.sendJson({ text: 'again' })
      }
      if (heard.length === 4) break
    }
    expect(heard).toEqual(['in lobby, after 0', 'hello', 'in lobby, after 2', 'again'])
  })

  test('WS3: what the server refuses is an error; so is a message that it cannot take', async () => {
    const app = appOf()
    const handle = await start(app)
    const api = createClient<typeof app>({ baseUrl: handle.url })
    const refused = await readSocket(socket(api, '/guarded', { connect }))
    expect(refused).toMatchObject([{ name: 'SocketClosed', code: 1006 }])
    const chat = socket(api, '/rooms/:room', { params: { room: 'a' }, connect })
    chat.send('no JSON')
    expect(await readSocket(chat)).toMatchObject([expect.any(String), { name: 'SocketClosed', code: 1007 }])
  })
})
