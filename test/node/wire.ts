import { connect as connectHttp2 } from 'node:http2'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { createApp } from '../../src/app.ts'
import { serve } from '../../src/runtime/node/serve.ts'
import type { ListenOptions, ServerHandle } from '../../src/runtime/serve-contract.ts'
import { cert, key } from './certificate.ts'

type Handler = (ctx: any) => any

/** Serve handlers on a free port of the loopback. */
export const listen = async (
  routes: Readonly<Record<string, Handler>>,
  options: ListenOptions = {},
): Promise<ServerHandle> => {
  const app = createApp()
  for (const [path, handler] of Object.entries(routes)) app.all(path, handler)
  return serve(app.fetch as never, { port: 0, hostname: '127.0.0.1', graceMs: 200, ...options })
}

export interface Wire {
  readonly socket: Socket
  /** Everything that has come so far, one character a byte. */
  text(): string
  write(bytes: string | Uint8Array): void
  /** Wait until what has come passes a test. Fails with what there is after the deadline. */
  until(test: (text: string) => boolean, ms?: number): Promise<string>
  /** Wait until the other side has closed. */
  closed(ms?: number): Promise<string>
  end(): void
  /** Wait until the other side has gone, without reading: by writing, which fails then. */
  hungUp(ms?: number): Promise<void>
  /** Go without a word: the other side gets a RST. */
  reset(): void
}

/** A connection that shows its bytes. */
export const open = (port: number): Promise<Wire> => wireOf((connected) => connect(port, '127.0.0.1', connected))

/** The same over TLS; `h2` speaks HTTP/2, which the test then writes by hand. */
export const openTls = (port: number, protocol: 'http/1.1' | 'h2' = 'http/1.1'): Promise<Wire> =>
  wireOf((connected) => {
    const raw = connect(port, '127.0.0.1')
    const socket = connectTls({ socket: raw, rejectUnauthorized: false, ALPNProtocols: [protocol] }, connected)
    raw.on('error', () => {})
    return Object.assign(socket, { raw })
  })

/** Servers of every kind, and how a client opens a connection to them that speaks HTTP/1.1. */
export const kinds: [name: string, options: ListenOptions, openTo: (port: number) => Promise<Wire>][] = [
  ['http', {}, open],
  ['https', { tls: { key, cert } }, openTls],
  ['http2', { tls: { key, cert }, http2: true }, openTls],
]

const wireOf = (connectTo: (connected: () => void) => Socket & { readonly raw?: Socket }): Promise<Wire> =>
  new Promise((resolve, reject) => {
    let received = ''
    let over = false
    const listeners = new Set<() => void>()
    const changed = (): void => {
      for (const listener of listeners) listener()
    }
    const socket = connectTo(() => resolve(wire))
    socket.on('error', (error) => {
      reject(error)
      over = true
      changed()
    })
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      changed()
    })
    socket.on('close', () => {
      over = true
      changed()
    })
    const wait = (test: () => boolean, ms: number): Promise<string> =>
      new Promise((done, fail) => {
        const look = (): void => {
          if (!test()) return
          clearTimeout(deadline)
          listeners.delete(look)
          done(received)
        }
        const deadline = setTimeout(() => {
          listeners.delete(look)
          fail(new Error(`Nothing after ${ms} ms; so far: ${JSON.stringify(received.slice(0, 600))}`))
        }, ms)
        listeners.add(look)
        look()
      })
    const wire: Wire = {
      socket,
      text: () => received,
      write: (bytes) => void socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes),
      until: (test, ms = 15_000) => wait(() => test(received), ms),
      closed: (ms = 15_000) => wait(() => over, ms),
      end: () => void socket.destroy(),
      hungUp: async (ms = 15_000) => {
        const writing = setInterval(() => socket.write('x'), 50)
        await wait(() => over, ms).finally(() => clearInterval(writing))
      },
      reset: () => {
        // Not at once: Node 20 crashes when the connection goes while its TLS is at work
        setImmediate(() => {
          const raw = socket.raw ?? socket
          raw.resetAndDestroy()
          socket.destroy()
        })
      },
    }
  })

/** Send bytes, and give everything that comes until the server closes or `until` is satisfied. */
export const exchange = async (port: number, bytes: string, until?: (text: string) => boolean): Promise<string> => {
  const wire = await open(port)
  wire.write(bytes)
  try {
    return await (until ? wire.until(until) : wire.closed())
  } finally {
    wire.end()
  }
}

/** Status codes of all responses in a run of bytes. */
export const statuses = (text: string): number[] =>
  Array.from(text.matchAll(/(?:^|\r\n|[^\r\n])HTTP\/1\.1 (\d{3}) /g), ([, status]) => Number(status))

/** Header lines and body of the first response. */
export const parse = (text: string): { status: number; lines: string[]; body: string } => {
  const end = text.indexOf('\r\n\r\n')
  const [first = '', ...lines] = text.slice(0, end).split('\r\n')
  return { status: Number(first.split(' ')[1]), lines, body: text.slice(end + 4) }
}

/**
 * Over HTTP/2, asks for `/` with a window of a kilobyte, which it never opens, until that stream is reset; then for `/ok`
 * in the same session.
 */
export const stuckThenOk = async (port: number): Promise<{ rstCode: number; then: string }> => {
  const session = connectHttp2(`https://127.0.0.1:${port}`, {
    rejectUnauthorized: false,
    settings: { initialWindowSize: 1_000 },
  })
  session.on('error', () => {})
  const stuck = session.request({ ':path': '/' })
  stuck.on('error', () => {}).pause()
  await eventually(() => stuck.closed, 'the reset')
  let then = ''
  const good = session.request({ ':path': '/ok' }).setEncoding('utf8')
  good.on('data', (chunk: string) => {
    then += chunk
  })
  await eventually(() => then === 'ok', 'an answer in the same session')
  session.destroy()
  return { rstCode: stuck.rstCode, then }
}

/** One request with `Connection: close`. */
export const request = (target: string, { method = 'GET', headers = [] as string[], body = '' } = {}): string =>
  `${[`${method} ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers].join('\r\n')}\r\n\r\n${body}`

/** Fail when a promise takes longer than it may: every wait has an end. */
export const within = async <T>(ms: number, promise: Promise<T>, what: string): Promise<T> => {
  let late: ReturnType<typeof setTimeout> | undefined
  const never = new Promise<never>((_, reject) => {
    late = setTimeout(() => reject(new Error(`${what}: not within ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([promise, never])
  } finally {
    clearTimeout(late)
  }
}

/** Ask again and again until a test passes; fails after the deadline. */
export const eventually = async (test: () => boolean, what: string, ms = 15_000): Promise<void> => {
  for (let left = ms; !test(); left -= 10) {
    if (left <= 0) throw new Error(`${what}: not within ${ms} ms`)
    await pause(10)
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** A promise, and what settles it. */
export const later = <T>() => {
  let resolve!: (value: T) => void
  let reject!: (error: Error) => void
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}
