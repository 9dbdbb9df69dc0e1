import { get } from 'node:http'
import { WebSocket } from 'ws'

export const until = async (test: () => boolean, signal?: AbortSignal): Promise<void> => {
  for (; !test(); signal?.throwIfAborted()) await new Promise((resolve) => setTimeout(resolve, 10))
}

/** How often the followers of a trial were cut off, and told of a gap. */
interface Outcome {
  reconnects: number
  gaps: number
}

/** What a connection tells its follower. */
interface Follower {
  /** Id of the last message, `''` before the first. */
  readonly after: string
  /** A message has come: an event, a gap, or only the place where the stream begins. */
  seen(message: { readonly id?: string; readonly event?: number; readonly gap?: boolean }): void
  /** The connection has ended. */
  closed(): void
}

/**
 * A client that connects to another process whenever it is cut off, with the id that it saw last.
 *
 * @param open connects, and returns what cuts the connection off
 */
const followBy =
  (open: (port: number, topic: string, follower: Follower) => () => void) =>
  (ports: readonly number[], first: number, topic: string, outcome: Outcome) => {
    const numbers: number[] = []
    let after = ''
    let turn = first
    let stopped = false
    let cut = (): void => {}
    const connect = (): void => {
      if (stopped) return
      cut = open(ports[turn++ % ports.length]!, topic, {
        after,
        seen({ id, event, gap }) {
          if (id !== undefined) after = id
          if (gap) outcome.gaps++
          if (event !== undefined) numbers.push(event)
        },
        closed() {
          outcome.reconnects++
          setTimeout(connect, 20)
        },
      })
    }
    connect()
    return {
      numbers,
      placed: () => after !== '',
      cut: () => cut(),
      stop() {
        stopped = true
        cut()
      },
    }
  }

/** Follows the event stream `/live/:topic`. */
export const follow = followBy((port, topic, { after, seen, closed }) => {
  const headers = after === '' ? {} : { 'last-event-id': after }
  let hasResponse = false
  const request = get({ port, host: '127.0.0.1', path: `/live/${topic}`, headers, agent: false }, (response) => {
    hasResponse = true
    let text = ''
    response.setEncoding('utf8')
    response.on('data', (chunk) => {
      text += chunk
      const frames = text.split('\n\n')
      text = frames.pop()!
      for (const frame of frames) {
        const id = /^id: (.*)$/m.exec(frame)?.[1]
        const gap = /^event: gap$/m.test(frame)
        const event = gap ? undefined : /^data: (\d+)$/m.exec(frame)?.[1]
        seen({ gap, ...(id !== undefined && { id }), ...(event !== undefined && { event: Number(event) }) })
      }
    })
    response.on('error', () => {})
    response.on('close', closed)
  })
  request.on('error', () => {
    // A response that has begun reports its own end
    if (!hasResponse) closed()
  })
  return () => request.destroy()
})

/** Follows the WebSocket `/rooms/:topic`. */
export const followRoom = followBy((port, topic, { after, seen, closed }) => {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/rooms/${topic}?${new URLSearchParams(after && { after })}`)
  socket.on('message', (text) => seen(JSON.parse(`${text}`)))
  socket.on('error', () => {})
  socket.on('close', closed)
  return () => socket.terminate()
})
