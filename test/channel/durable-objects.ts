import { vi } from 'vitest'
import type { ChannelObject, ChannelObjectState } from '../../src/channel/durable-object.ts'
import type { DurableObjectNamespace } from '../../src/internal/store/durable-object.ts'

type Listener = (event: { readonly data?: unknown }) => void

/** One end of a pair of WebSockets, as Workers have them: it hears nothing before it is accepted. */
class End {
  other!: End
  closed = false
  /** What was sent to it; a test may look. */
  readonly got: string[] = []
  readonly #listeners = new Map<string, Listener[]>()
  #early: (() => void)[] | undefined = []
  /** Set by the object that accepts it: its half of the goodbye. */
  onClose: () => void = () => {}

  accept(): void {
    const early = this.#early
    this.#early = undefined
    queueMicrotask(() => early?.forEach((tell) => void tell()))
  }

  addEventListener(type: string, listener: Listener): void {
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener])
  }

  emit(type: string, event: { readonly data?: unknown } = {}): void {
    const tell = (): void => this.#listeners.get(type)?.forEach((listener) => void listener(event))
    if (this.#early) this.#early.push(tell)
    else setTimeout(tell)
  }

  send(data: string): void {
    if (this.closed) throw new TypeError('The WebSocket is closed')
    this.other.got.push(data)
    this.other.emit('message', { data })
  }

  close(): void {
    if (this.closed) throw new TypeError('The WebSocket is closed')
    this.closed = true
    this.other.onClose()
    this.other.emit('close')
  }
}

/** Put the globals of Workers in place until `vi.unstubAllGlobals()`. */
export const stubWorkers = (): void => {
  vi.stubGlobal(
    'WebSocketPair',
    class {
      readonly 0 = new End()
      readonly 1 = new End()
      constructor() {
        this[0].other = this[1]
        this[1].other = this[0]
      }
    },
  )
  vi.stubGlobal('WebSocketRequestResponsePair', class {})
  vi.stubGlobal(
    'Response',
    class extends Response {
      readonly webSocket: unknown
      constructor(body?: BodyInit | null, init: ResponseInit & { readonly webSocket?: unknown } = {}) {
        super(body, init.status === 101 ? { ...init, status: 200 } : init)
        this.webSocket = init.webSocket
      }
    },
  )
}

/** Durable Objects of one class: one object a name, one event at a time, storage by value, alarms on demand. */
export const createObjects = (Class: new (state: ChannelObjectState) => ChannelObject) => {
  const objects = new Map<string, ReturnType<typeof open>>()
  const open = () => {
    const stored = new Map<string, string>()
    const sockets = new Set<End>()
    let alarm: number | null = null
    let turn: Promise<unknown> = Promise.resolve()
    const state: ChannelObjectState = {
      storage: {
        get: async (key) => (stored.has(key) ? JSON.parse(stored.get(key)!) : undefined),
        async put(entries) {
          for (const [key, value] of Object.entries(entries)) stored.set(key, JSON.stringify(value))
        },
        async list({ start, end, limit }) {
          const keys = [...stored.keys()].filter((key) => key >= start && key < end).sort()
          return new Map(keys.slice(0, limit).map((key) => [key, JSON.parse(stored.get(key)!)]))
        },
        delete: async (keys) => keys.filter((key) => stored.delete(key)).length,
        deleteAll: async () => stored.clear(),
        getAlarm: async () => alarm,
        async setAlarm(time) {
          alarm = time
        },
      },
      acceptWebSocket(socket: End) {
        sockets.add(socket)
        socket.accept()
        socket.onClose = () => {
          sockets.delete(socket)
          object.webSocketClose(socket)
        }
      },
      getWebSockets: () => [...sockets],
      setWebSocketAutoResponse() {},
    }
    const object = new Class(state)
    return {
      stored,
      sockets,
      alarm: () => alarm,
      async ring() {
        alarm = null
        await object.alarm()
      },
      ask(request: Request) {
        const answer = turn.then(() => object.fetch(request))
        turn = answer.catch(() => {})
        return answer
      },
    }
  }
  const named = (name: string) => {
    const object = objects.get(name) ?? open()
    objects.set(name, object)
    return object
  }
  let fault: Error | undefined
  const namespace: DurableObjectNamespace = {
    idFromName: (name) => name,
    get: (name: string) => ({
      async fetch(url, init) {
        if (fault) throw fault
        return named(name).ask(new Request(url, init))
      },
    }),
  }
  return {
    namespace,
    named,
    /** Make every call fail, or no longer. */
    fail: (error: Error | undefined) => {
      fault = error
    },
  }
}
