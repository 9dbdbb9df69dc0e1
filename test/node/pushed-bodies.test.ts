import { createServer, IncomingMessage, request, ServerResponse } from 'node:http'
import { type AddressInfo, connect, Socket } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { type NodeHandler, toNodeHandler } from '../../src/to-node-handler.ts'

/** The requests as Node has them, beside what they are answered. */
const serve = async (handler: NodeHandler, before: (incoming: IncomingMessage) => void = () => {}) => {
  const seen: IncomingMessage[] = []
  const server = createServer((incoming, outgoing) => {
    seen.push(incoming)
    before(incoming)
    void handler(incoming, outgoing)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const ask = async (body: string, chunked = false) => {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = chunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': Buffer.byteLength(body) }
      const asked = request({ port, host: '127.0.0.1', method: 'POST', headers }, resolve)
      asked.on('error', reject)
      if (chunked) for (let at = 0; at < body.length; at += 40_000) asked.write(body.slice(at, at + 40_000))
      asked.end(chunked ? undefined : body)
    })
    return { status: answer.statusCode!, body: await textOf(answer) }
  }
  const close = (): void => {
    server.closeAllConnections()
    server.close()
  }
  return { port, seen, ask, close }
}

const echo = async (request: Request): Promise<Response> => {
  try {
    return new Response(await request.text())
  } catch (error) {
    return new Response((error as Error).message, { status: 413 })
  }
}

describe.each<[string, (request: Request) => Promise<Response>]>([
  ['at once', echo],
  ['after a turn', (request) => sleep(1).then(() => echo(request))],
  ['after a promise', (request) => Promise.resolve().then(() => echo(request))],
])('a body that is read %s', (_, fetch) => {
  test.each([
    [0, false],
    [1, false],
    [100_000, false],
    [1_048_576, false],
    [0, true],
    [1, true],
    [100_000, true],
    [1_048_576, true],
  ])('of %i bytes arrives whole, and its message ends and closes (chunked: %s)', async (length, chunked) => {
    const { seen, ask, close } = await serve(toNodeHandler(fetch))
    try {
      const body = 'é'.repeat(length / 2) + 'x'.repeat(length % 2)
      expect(await ask(body, chunked)).toEqual({ status: 200, body })
      await vi.waitFor(() => expect(seen[0]).toMatchObject({ readableEnded: true, complete: true, destroyed: true }))
    } finally {
      close()
    }
  })

  test.each([false, true])('is refused over the limit, and its message ends (chunked: %s)', async (chunked) => {
    const { seen, ask, close } = await serve(toNodeHandler(fetch))
    try {
      expect(await ask('x'.repeat(1_048_577), chunked)).toEqual({ status: 413, body: 'Content Too Large' })
      await vi.waitFor(() => expect(seen[0]).toMatchObject({ readableEnded: true }))
    } finally {
      close()
    }
  })

  test.each([0, 5, 100_000])('gives an error if the client leaves after %i bytes', async (sent) => {
    const outcomes: string[] = []
    const { port, close } = await serve(
      toNodeHandler(async (request) => {
        const response = await fetch(request)
        outcomes.push(await response.clone().text())
        return response
      }),
    )
    try {
      const socket = connect(port, '127.0.0.1')
      socket.write(`POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1000000\r\n\r\n${'x'.repeat(sent)}`)
      await sleep(20)
      socket.destroy()
      await vi.waitFor(() => expect(outcomes).toEqual(['Request body is incomplete']))
    } finally {
      close()
    }
  })
})

test('a body that another listener reads too reaches that listener and the application', async () => {
  let size = 0
  const { ask, close } = await serve(toNodeHandler(echo), (incoming) => {
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length
    })
  })
  try {
    expect(await ask('x'.repeat(100_000))).toEqual({ status: 200, body: 'x'.repeat(100_000) })
    expect(size).toBe(100_000)
  } finally {
    close()
  }
})

test('a second application that reads the body after a first one gets an error that says so', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const first = toNodeHandler(async (request) => new Response(await request.text(), { status: 404 }), {
    fallthrough: true,
  })
  const outcomes: string[] = []
  const second = toNodeHandler(async (request) => {
    outcomes.push(
      await request.text().then(
        () => 'read',
        ({ message }: Error) => message,
      ),
    )
    return new Response()
  })
  const { ask, close } = await serve((incoming, outgoing) =>
    first(incoming, outgoing, () => second(incoming, outgoing)),
  )
  try {
    expect(await ask('hello')).toEqual({ status: 200, body: '' })
    expect(outcomes).toEqual([expect.stringContaining('A Node middleware read the body without keeping it')])
  } finally {
    close()
    log.mockRestore()
  }
})

/** A message as test tools make it, which no parser fills. */
const madeMessage = (read: (incoming: IncomingMessage) => void): IncomingMessage => {
  const incoming = new IncomingMessage(new Socket())
  Object.assign(incoming, { method: 'POST', url: '/', headers: { host: 'a' }, rawHeaders: ['host', 'a'] })
  incoming._read = () => read(incoming)
  return incoming
}

const readers: readonly [string, (request: Request) => Promise<string>][] = [
  ['text()', (request) => request.text()],
  ['its stream', (request) => new Response(request.body).text()],
]

describe.each(readers)('a message that no parser fills, read with %s', (_, reader) => {
  const readMessage = async (incoming: IncomingMessage) => {
    const read: string[] = []
    const handler = toNodeHandler(async (request) => {
      read.push(await reader(request).catch((error: Error) => `${error.name}: ${error.message}`))
      return new Response()
    })
    handler(incoming, new ServerResponse(incoming))
    await vi.waitFor(() => expect(read).toHaveLength(1))
    return read[0]
  }

  test('is read to its end', async () => {
    const incoming = madeMessage(() => {
      incoming.push('hello ')
      incoming.push(Buffer.from('world'))
      incoming.push(null)
    })
    expect(await readMessage(incoming)).toBe('hello world')
  })

  test('gives an error if it ends because its client has left', async () => {
    const incoming = madeMessage(() => {
      incoming.push('hello ')
      // As HTTP/2 does: it says so, then the stream ends, and closes
      incoming.aborted = true
      incoming.push(null)
    })
    expect(await readMessage(incoming)).toMatch(/^HttpError: /)
  })
})
