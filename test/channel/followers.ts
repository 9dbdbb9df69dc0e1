import { get } from 'node:http'
import { WebSocket } from 'ws'

export const until = async (test: () => boolean, signal?: AbortSignal): Promise<void> => {
  for (; !test(); signal?.throwIfAborted()) await new Promise((resolve) => setTimeout(resolve, 10))
}

/** A client that comes back to another process whenever it is cut off, with the id that it saw last. */
export const follow = (
  ports: readonly number[],
  first: number,
  topic: string,
  outcome: { reconnects: number; gaps: number },
) => {
  const numbers: number[] = []
  let id: string | undefined
  let turn = first
  let stopped = false
  let cut = (): void => {}
  const connect = (): void => {
    if (stopped) return
    const port = ports[turn++ % ports.length]
    const headers = id === undefined ? {} : { 'last-event-id': id }
    const again = (): void => {
      outcome.reconnects++
      setTimeout(connect, 20)
    }
    let answered = false
    const request = get({ port, host: '127.0.0.1', path: `/live/${topic}`, headers, agent: false }, (response) => {
      answered = true
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => {
        text += chunk
        const frames = text.split('\n\n')
        text = frames.pop()!
        for (const frame of frames) {
          const next = /^id: (.*)$/m.exec(frame)?.[1]
          if (next !== undefined) id = next
          if (/^event: gap$/m.test(frame)) outcome.gaps++
          else if (/^data: (\d+)$/m.test(frame)) numbers.push(Number(/^data: (\d+)$/m.exec(frame)![1]))
        }
      })
      response.on('error', () => {})
      response.on('close', again)
    })
    request.on('error', () => {
      // An answer that has begun tells its end itself
      if (!answered) again()
    })
    cut = () => request.destroy()
  }
  connect()
  return {
    numbers,
    placed: () => id !== undefined,
    cut: () => cut(),
    stop() {
      stopped = true
      cut()
    },
  }
}

/** The same over WebSockets, in `/rooms/:topic`. */
export const followRoom = (
  ports: readonly number[],
  first: number,
  topic: string,
  outcome: { reconnects: number; gaps: number },
) => {
  const numbers: number[] = []
  let id = ''
  let turn = first
  let stopped = false
  let socket: WebSocket
  const connect = (): void => {
    if (stopped) return
    const port = ports[turn++ % ports.length]
    socket = new WebSocket(`ws://127.0.0.1:${port}/rooms/${topic}?${new URLSearchParams(id && { after: id })}`)
    socket.on('message', (text) => {
      const message = JSON.parse(`${text}`) as { id: string; event?: number; gap?: boolean }
      id = message.id
      if (message.gap) outcome.gaps++
      if (message.event !== undefined) numbers.push(message.event)
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      outcome.reconnects++
      setTimeout(connect, 20)
    })
  }
  connect()
  return {
    numbers,
    placed: () => id !== '',
    cut: () => socket.terminate(),
    stop() {
      stopped = true
      socket.terminate()
    },
  }
}
