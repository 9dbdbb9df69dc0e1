import { connect, type Socket } from 'node:net'
import { pipe } from '../../src/pipe.ts'
import { blank, route } from '../../src/plan.ts'
import type { ListenOptions, ServerHandle } from '../../src/runtime/contract.ts'
import { serve } from '../../src/runtime/node/serve.ts'
import { toFetch } from '../../src/to-fetch.ts'

type Handler = (ctx: any) => any

/** Serve handlers on a free port of the loopback. */
export const listen = async (
  routes: Readonly<Record<string, Handler>>,
  options: ListenOptions = {},
): Promise<ServerHandle> => {
  let plan = blank
  for (const [path, handler] of Object.entries(routes)) plan = route('*', path, handler)(plan as never) as never
  return serve(pipe(plan, toFetch), { port: 0, hostname: '127.0.0.1', graceMs: 200, ...options })
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
}

/** A connection that shows its bytes. */
export const open = (port: number): Promise<Wire> =>
  new Promise((resolve, reject) => {
    let received = ''
    let over = false
    const listeners = new Set<() => void>()
    const changed = (): void => {
      for (const listener of listeners) listener()
    }
    const socket = connect(port, '127.0.0.1', () => resolve(wire))
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
      until: (test, ms = 5_000) => wait(() => test(received), ms),
      closed: (ms = 5_000) => wait(() => over, ms),
      end: () => void socket.destroy(),
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

/** One request with `Connection: close`. */
export const request = (target: string, { method = 'GET', headers = [] as string[], body = '' } = {}): string =>
  `${[`${method} ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers].join('\r\n')}\r\n\r\n${body}`

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
