import { connect as connectHttp2 } from 'node:http2'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { stream } from '../../src/respond/stream.ts'
import { kinds, listen, pause, request, statuses, within } from '../node/wire.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const unprintable = (): Error =>
  Object.defineProperty(new Error('x'), 'stack', {
    get() {
      throw new Error('no stack')
    },
  })

/** Ways in which a source fails after it has given something. */
const failures: [name: string, source: () => ReadableStream][] = [
  ['controller.error() without a reason', () => failing((controller) => controller.error())],
  ['controller.error(null)', () => failing((controller) => controller.error(null))],
  ['controller.error(new Error())', () => failing((controller) => controller.error(new Error('source')))],
  ['an error that cannot be printed', () => failing((controller) => controller.error(unprintable()))],
  ['pull that rejects with undefined', () => failing(() => Promise.reject())],
  ['pull that throws a text', () => failing(() => Promise.reject('text'))],
  ['a chunk that is a number', () => failing((controller) => controller.enqueue(5))],
  ['a chunk that is null', () => failing((controller) => controller.enqueue(null))],
]

const failing = (fail: (controller: ReadableStreamDefaultController) => unknown): ReadableStream => {
  let pulls = 0
  return new ReadableStream({
    async pull(controller) {
      await pause(5)
      if (pulls++ === 0) controller.enqueue(new TextEncoder().encode('begun'))
      else await fail(controller)
    },
  })
}

const silently = () => vi.spyOn(console, 'error').mockImplementation((error) => void String(error?.stack))

describe.each(kinds)('F10: on %s', (_, options, openTo) => {
  test.each(failures)('%s: the client sees that the answer is not whole, the log has one line', async (_, source) => {
    const log = silently()
    await using handle = await listen(
      { '/own': () => stream(source), '/platform': () => new Response(source()), '/ok': () => new Response('ok') },
      options,
    )
    for (const path of ['/own', '/platform']) {
      log.mockClear()
      const wire = await openTo(handle.port!)
      wire.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
      const answer = await wire.closed()
      expect(answer).toMatch(/begun\r\n$/)
      expect(answer).not.toMatch(/\r\n0\r\n/)
      expect(log.mock.calls.filter(([error]) => error === undefined)).toEqual([])
      expect(log.mock.results.filter(({ type }) => type === 'return')).toHaveLength(1)
    }
    const wire = await openTo(handle.port!)
    wire.write(request('/ok'))
    expect(statuses(await wire.closed()), 'the server lives').toEqual([200])
  })

  test('an empty chunk does not end the body, only the end does', async () => {
    await using handle = await listen(
      {
        '/': () =>
          stream(async function* () {
            yield 'a'
            yield ''
            await pause(5)
            yield new Uint8Array()
            yield 'b'
          }),
      },
      options,
    )
    const wire = await openTo(handle.port!)
    wire.write(request('/'))
    expect(await wire.closed()).toMatch(/\r\n\r\n1\r\na\r\n1\r\nb\r\n0\r\n\r\n$/)
  })
})

describe('F10: over HTTP/2', () => {
  test.each(failures)('%s: the stream is reset with INTERNAL_ERROR, and the session lives', async (_, source) => {
    silently()
    await using handle = await listen({ '/': () => stream(source), '/ok': () => new Response('ok') }, kinds[2]![1])
    const session = connectHttp2(`https://127.0.0.1:${handle.port}`, { rejectUnauthorized: false })
    const ask = (path: string): Promise<{ body: string; resetCode: number }> =>
      within(
        15_000,
        new Promise((resolve) => {
          let text = ''
          const asked = session.request({ ':path': path }).setEncoding('utf8')
          asked.on('data', (chunk: string) => {
            text += chunk
          })
          asked.on('error', () => {}).on('close', () => resolve({ body: text, resetCode: asked.rstCode ?? 0 }))
        }),
        'the end of the stream',
      )
    expect(await ask('/')).toEqual({ body: 'begun', resetCode: 2 })
    expect(await ask('/ok')).toEqual({ body: 'ok', resetCode: 0 })
    session.destroy()
  })
})
