import { expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { html } from '../../src/respond/html.ts'
import { lastEventId, sse } from '../../src/respond/sse.ts'
import { describeBrowser } from './browser.ts'

describeBrowser('EventSource in Chromium', ({ open, serve }) => {
  test('S1, S5: it reconnects with Last-Event-ID and misses nothing', async () => {
    const asked: (string | undefined)[] = []
    const app = createApp()
      .get('/', () => html('<title>x</title>'))
      .get('/events', (ctx) => {
        const last = lastEventId(ctx)
        asked.push(last)
        return sse(async (send) => {
          const from = Number(last ?? 0)
          // Two events a connection; then the server ends it, and the browser comes back.
          for (const id of [from + 1, from + 2]) await send({ id: String(id), retry: 50, data: { n: id } })
        })
      })
    const { local } = await serve(app)
    const tab = await open()
    await tab.goto(local)
    const seen = await tab.evaluate(
      () =>
        new Promise((resolve) => {
          const list: unknown[] = []
          const source = new EventSource('/events')
          source.onmessage = ({ data, lastEventId: id }) => {
            list.push([id, JSON.parse(data).n])
            if (list.length < 6) return
            source.close()
            resolve(list)
          }
        }),
    )
    expect(seen).toEqual([1, 2, 3, 4, 5, 6].map((n) => [String(n), n]))
    expect(asked.slice(0, 3)).toEqual([undefined, '2', '4'])
  })

  test('S1, S4: names, lines and comments arrive as sent; the sender is notified when the page closes the stream', async () => {
    let gone: () => void = () => {}
    const left = new Promise<string>((resolve) => {
      gone = () => resolve('gone')
    })
    const app = createApp()
      .get('/', () => html('<title>x</title>'))
      .get('/events', () =>
        sse((send) => {
          send.comment('hello')
          send({ event: 'price', data: 'one\ntwo\r\nthree' })
          send({ data: 'data: fake\n\nid: 9' })
          return gone
        }),
      )
    const tab = await open()
    await tab.goto((await serve(app)).local)
    const seen = await tab.evaluate(
      () =>
        new Promise((resolve) => {
          const list: unknown[] = []
          const source = new EventSource('/events')
          source.addEventListener('price', ({ data }) => list.push(data))
          source.onmessage = ({ data, lastEventId: id }) => {
            list.push(data, id)
            source.close()
            resolve(list)
          }
        }),
    )
    expect(seen).toEqual(['one\ntwo\nthree', 'data: fake\n\nid: 9', ''])
    const late = new Promise<string>((resolve) => setTimeout(resolve, 5000, 'nobody told'))
    expect(await Promise.race([left, late])).toBe('gone')
  })
})
