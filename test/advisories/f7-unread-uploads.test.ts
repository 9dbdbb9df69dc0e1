import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { describe, expect, test, vi } from 'vitest'
import { createApp } from '../../src/app.ts'
import type { Context } from '../../src/internal/types/context.ts'
import { text } from '../../src/respond/text.ts'
import { LINGER_MS } from '../../src/runtime/node/exchange.ts'
import { serve } from '../../src/serve.ts'
import { toNodeHandler } from '../../src/to-node-handler.ts'
import { open, pause, statuses } from '../node/wire.ts'

/** Send two requests over one connection, the first with a body. */
const askTwice = async (port: number, body: string) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = (method: string, path: string, sent?: string) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const asked = request({ agent, port, host: '127.0.0.1', method, path }, resolve)
      asked.on('error', reject)
      asked.end(sent)
    })
  try {
    const first = await ask('POST', '/', body)
    const { localPort } = first.socket
    await textOf(first)
    const second = await ask('GET', '/')
    const sameConnection = second.socket.localPort === localPort
    return { status: first.statusCode!, body: await textOf(second), sameConnection }
  } finally {
    agent.destroy()
  }
}

const releaseAfterOne = async ({ request: { body } }: { readonly request: Request }): Promise<void> => {
  const reader = body!.getReader()
  await reader.read()
  reader.releaseLock()
}

test.each<[string, number, (ctx: Context) => unknown]>([
  ['is only looked at', 200, (ctx) => ctx.request.body],
  ['is locked and released', 200, (ctx) => ctx.request.body!.getReader().releaseLock()],
  ['is read in part', 200, releaseAfterOne],
  [
    'is read in part by a handler that then fails',
    500,
    async (ctx) => {
      await releaseAfterOne(ctx)
      throw new Error('disk full')
    },
  ],
  ['is read in part, then cancelled', 200, (ctx) => releaseAfterOne(ctx).then(() => ctx.request.body!.cancel())],
  ['is cloned', 200, (ctx) => ctx.request.clone()],
  ['is cloned and read in part', 200, (ctx) => releaseAfterOne({ request: ctx.request.clone() })],
  ['is not touched', 200, () => undefined],
])('F7: a body that %s does not hold back the next request of its connection', async (_, status, touch) => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const app = createApp()
    .post('/', async (ctx) => {
      await touch(ctx as never)
      return text('first')
    })
    .get('/', () => text('second'))
  const server = await app.listen({ port: 0, hostname: '127.0.0.1' })
  try {
    for (const length of [10, 300_000, 3_000_000])
      expect(await askTwice(server.port!, 'x'.repeat(length))).toEqual({ status, body: 'second', sameConnection: true })
  } finally {
    await server.close()
    log.mockRestore()
  }
})

test('F7: a body that is read after the response gives an error, and not an end', async () => {
  let outcome: Promise<unknown> | undefined
  const app = createApp()
    .post('/', (ctx) => {
      const { body } = ctx.request
      outcome = new Promise((resolve) => setTimeout(resolve, 100)).then(() => body!.getReader().read())
      outcome.catch(() => {})
      return text('first')
    })
    .get('/', () => text('second'))
  const server = await app.listen({ port: 0, hostname: '127.0.0.1' })
  try {
    expect(await askTwice(server.port!, 'x'.repeat(3_000_000))).toEqual({
      status: 200,
      body: 'second',
      sameConnection: true,
    })
    await expect(outcome).rejects.toThrow('Request body is incomplete')
  } finally {
    await server.close()
  }
})

const readAll = async (stream: ReadableStream<Uint8Array>, pauseMs = 0): Promise<number> => {
  const reader = stream.getReader()
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return size
    size += value.byteLength
    if (pauseMs) await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

const READERS: [string, (request: Request) => Promise<number>][] = [
  ['reads it', ({ body }) => readAll(body!)],
  ['reads its text', (request) => request.text().then(({ length }) => length)],
  ['reads it slowly', ({ body }) => readAll(body!, 2)],
  ['reads a clone', (request) => readAll(request.clone().body!)],
  [
    'reads a clone of a clone',
    (request) =>
      request
        .clone()
        .clone()
        .text()
        .then(({ length }) => length),
  ],
  ['reads a response that has it', ({ body }) => new Response(body).arrayBuffer().then((bytes) => bytes.byteLength)],
  [
    'pipes it',
    async ({ body }) => {
      let size = 0
      await body!.pipeTo(
        new WritableStream({
          write(chunk) {
            size += chunk.byteLength
          },
        }),
      )
      return size
    },
  ],
  [
    'reads both halves of its tee',
    async ({ body }) => {
      const [one, other] = await Promise.all(body!.tee().map((half) => readAll(half)))
      return one === other ? one! : -1
    },
  ],
]

describe.each(READERS)('F7: who has begun before the response, and %s', (_, read) => {
  const serveReader = async (async: boolean): Promise<[number, () => Promise<number>, () => Promise<void>]> => {
    let reading: Promise<number> | undefined
    const first = (request: Request): Response => {
      reading = read(request)
      reading.catch(() => {})
      return text('first')
    }
    const app = createApp()
      .post('/', async ? async (ctx) => first(ctx.request) : (ctx) => first(ctx.request))
      .get('/', () => text('second'))
    const server = await app.listen({ port: 0, hostname: '127.0.0.1' })
    return [server.port!, () => reading!, () => server.close()]
  }

  test.each([false, true])('has all of it after the response (async handler: %s)', async (async) => {
    const [port, reading, close] = await serveReader(async)
    try {
      for (const length of [10, 300_000, 1_000_000]) {
        expect(await askTwice(port, 'x'.repeat(length))).toEqual({ status: 200, body: 'second', sameConnection: true })
        expect(await reading()).toBe(length)
      }
    } finally {
      await close()
    }
  })

  test.each([0, 5, 100_000])('gets an error if the client leaves after %i bytes', async (sent) => {
    const [port, reading, close] = await serveReader(false)
    try {
      const socket = connect(port, '127.0.0.1')
      socket.write(`POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1000000\r\n\r\n${'x'.repeat(sent)}`)
      await new Promise((resolve) => socket.once('data', resolve))
      socket.destroy()
      await expect(reading()).rejects.toThrow('Request body is incomplete')
    } finally {
      await close()
    }
  })
})

test('F7: a connection with many such bodies keeps nothing of them', async () => {
  const sockets = new Set<Socket>()
  const handler = toNodeHandler(async () => new Response('first'))
  const server = createServer((incoming, outgoing) => {
    sockets.add(incoming.socket)
    void handler(incoming, outgoing)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const listeners: number[] = []
  try {
    for (let round = 0; round < 20; round++) {
      await new Promise<void>((resolve, reject) => {
        const { port } = server.address() as AddressInfo
        const asked = request({ agent, port, host: '127.0.0.1', method: 'POST' }, (answer) => {
          textOf(answer).then(() => resolve(), reject)
        })
        asked.on('error', reject)
        asked.end('x'.repeat(3_000_000))
      })
      listeners.push([...sockets][0]!.listenerCount('close'))
    }
    expect(sockets.size).toBe(1)
    expect(Math.max(...listeners.slice(1))).toBeLessThanOrEqual(listeners[0]!)
  } finally {
    agent.destroy()
    server.closeAllConnections()
    server.close()
  }
})

test('F7: an upload that has arrived after its response does not cut the next one, though a reader holds it', async () => {
  const app = createApp()
    .post('/', async (ctx) => {
      await ctx.request.body!.getReader().read()
      return text('first')
    })
    .get('/', () => pause(LINGER_MS + 200).then(() => text('second')))
  const server = await app.listen({ port: 0, hostname: '127.0.0.1' })
  const wire = await open(server.port!)
  try {
    wire.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 130000\r\n\r\n${'x'.repeat(30_000)}`)
    await wire.until((seen) => seen.endsWith('first'))
    wire.write(`${'x'.repeat(100_000)}GET / HTTP/1.1\r\nHost: a\r\n\r\n`)
    expect(statuses(await wire.until((seen) => seen.endsWith('second')))).toEqual([200, 200])
  } finally {
    wire.end()
    await server.close()
  }
})

/** Reads part of a body, and then fails, or has no such page. */
const partly =
  (failing: boolean) =>
  async (request: Request): Promise<Response> => {
    if (request.method === 'GET') return new Response('second')
    await releaseAfterOne({ request })
    if (failing) throw new Error('disk full')
    return new Response('', { status: 404 })
  }

type Next = (incoming: IncomingMessage, outgoing: ServerResponse) => void

const answerAtOnce: Next = (_, outgoing) => outgoing.writeHead(404).end()

/** As `finalhandler` of Express has it. */
const answerAtEnd: Next = (incoming, outgoing) => {
  const answer = (): unknown => outgoing.writeHead(404).end()
  if (incoming.complete) answer()
  else incoming.on('end', answer).resume()
}

test('F7: a function that fails after it has read part of a body does not hold back the next request', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const server = await serve(partly(true), { port: 0, hostname: '127.0.0.1' })
  try {
    expect(await askTwice(server.port!, 'x'.repeat(3_000_000))).toEqual({
      status: 500,
      body: 'second',
      sameConnection: true,
    })
  } finally {
    await server.close()
    log.mockRestore()
  }
})

test.each<[string, boolean, number, Next | undefined]>([
  ['fails', true, 500, undefined],
  ['fails, and the next handler responds', true, 404, answerAtOnce],
  ['fails, and the next handler waits for the end', true, 404, answerAtEnd],
  ['has no such page, and the next handler responds', false, 404, answerAtOnce],
  ['has no such page, and the next handler waits for the end', false, 404, answerAtEnd],
])('F7: toNodeHandler that has read part of a body and %s', async (_, failing, status, next) => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const handler = toNodeHandler(partly(failing), { fallthrough: true })
  const server = createServer((incoming, outgoing) =>
    handler(incoming, outgoing, next && (() => next(incoming, outgoing))),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  try {
    expect(await askTwice(port, 'x'.repeat(3_000_000))).toEqual({ status, body: 'second', sameConnection: true })
  } finally {
    server.closeAllConnections()
    server.close()
    log.mockRestore()
  }
})
