import { afterEach, describe, expect, test, vi } from 'vitest'
import { stream } from '../../src/respond/stream.ts'
import { exchange, listen, open, pause, request } from './wire.ts'

/** A source that counts its calls. What it gives is decided by the number of the call. */
const counting = (next: (call: number) => any) => {
  const calls = { next: 0, return: 0 }
  const iterator = {
    next: () => next(calls.next++),
    return() {
      calls.return++
      return { done: true, value: undefined }
    },
  }
  return { calls, source: { [Symbol.iterator]: () => iterator } as Iterable<string> }
}

const give = (value: unknown) => ({ done: false, value })
const ASK = 'GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n'
const END = { done: true, value: undefined }
const failure = () => {
  throw new Error('no more')
}

/** The same response with the stream read through a second one, so that its source is not used directly. */
const relayed = (response: Response): Response =>
  new Response(response.body!.pipeThrough(new TransformStream()), response)

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()))
})

/** What a client receives until its connection ends, and how often the source was asked. */
const observe = async (next: (call: number) => any, change: (response: Response) => Response) => {
  const { calls, source } = counting(next)
  const server = await listen({ '/': () => change(stream(source)) })
  closers.push(() => server.close())
  const received = await exchange(server.port!, ASK)
  const body = received.split('\r\n\r\n').slice(1).join('\r\n\r\n')
  const chunks = body.split('\r\n').filter((_, index) => index % 2)
  return {
    text: Buffer.from(chunks.join(''), 'latin1').toString(),
    complete: body.endsWith('0\r\n\r\n'),
    returned: calls.return,
  }
}

// What was written in the turn of a failure is not sent
describe('the source of a stream, written directly or through another stream', () => {
  test.each<[string, (call: number) => any, { text: string; complete: boolean; returned: number }]>([
    ['ends', (call) => (call < 3 ? give(`${call}`) : END), { text: '012', complete: true, returned: 0 }],
    [
      'gives promises',
      async (call) => (call < 3 ? give(`${call}`) : END),
      { text: '012', complete: true, returned: 0 },
    ],
    [
      'gives empty texts between',
      (call) => (call < 4 ? give(call % 2 ? '' : `${call}`) : END),
      { text: '02', complete: true, returned: 0 },
    ],
    [
      'gives half characters and bytes',
      (call) => [give('\ud800'), give(new Uint8Array([65])), END][call],
      { text: '\ufffdA', complete: true, returned: 0 },
    ],
    ['throws', (call) => (call < 2 ? give('x') : failure()), { text: '', complete: false, returned: 0 }],
    ['rejects', async (call) => (call < 2 ? give('x') : failure()), { text: '', complete: false, returned: 0 }],
    ['gives a number', (call) => (call < 1 ? give('x') : give(7)), { text: '', complete: false, returned: 1 }],
    ['gives no result', (call) => (call < 1 ? give('x') : null), { text: '', complete: false, returned: 0 }],
  ])('that %s', async (_, next, expected) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    expect(await observe(next, (response) => response)).toEqual(expected)
    expect(await observe(next, relayed)).toMatchObject({ text: expected.text, complete: expected.complete })
  })

  test('is ended once when the client leaves', async () => {
    const { calls, source } = counting(async () => {
      await pause(1)
      return give('x')
    })
    const server = await listen({ '/': () => stream(source) })
    closers.push(() => server.close())
    const wire = await open(server.port!)
    wire.write(request('/'))
    await wire.until((received) => received.includes('\r\n\r\n1'))
    wire.reset()
    await vi.waitFor(() => expect(calls.return).toBe(1))
    const asked = calls.next
    await pause(20)
    expect(calls.return).toBe(1)
    expect(calls.next - asked).toBeLessThanOrEqual(1)
  })

  test('waits for a client that does not read', async () => {
    const block = 'x'.repeat(65_536)
    const { calls, source } = counting(() => give(block))
    const server = await listen({ '/': () => stream(source) })
    closers.push(() => server.close())
    const wire = await open(server.port!)
    wire.socket.pause()
    wire.write(request('/'))
    let before = -1
    await vi.waitFor(
      () => {
        const still = calls.next === before && before > 0
        before = calls.next
        expect(still).toBe(true)
      },
      { interval: 100, timeout: 5_000 },
    )
    // What two sockets buffer, and no more
    expect(calls.next).toBeLessThan(500)
    wire.reset()
    await vi.waitFor(() => expect(calls.return).toBe(1))
  })

  test('is not asked for HEAD', async () => {
    const { calls, source } = counting(() => give('x'))
    const server = await listen({ '/': () => stream(source) })
    closers.push(() => server.close())
    await exchange(server.port!, ASK.replace('GET', 'HEAD'))
    expect(calls).toEqual({ next: 0, return: 1 })
  })
})
