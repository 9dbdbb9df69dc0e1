import { NOTHING } from './backend.ts'

/** The part of a Durable Object's state that is used. */
export interface ChannelObjectState {
  readonly storage: {
    get<T>(key: string): Promise<T | undefined>
    put(entries: Readonly<Record<string, unknown>>): Promise<void>
    list<T>(options: { readonly start: string; readonly end: string; readonly limit: number }): Promise<Map<string, T>>
    delete(keys: string[]): Promise<number>
    deleteAll(): Promise<void>
    getAlarm(): Promise<number | null>
    setAlarm(time: number): Promise<void>
  }
  acceptWebSocket(socket: unknown): void
  getWebSockets(): { send(message: string): void }[]
  setWebSocketAutoResponse(pair: unknown): void
}

/** A Durable Object that stores the events of one topic, and sends them to listeners. */
export interface ChannelObject {
  fetch(request: Request): Promise<Response>
  alarm(): Promise<void>
  webSocketClose(socket: { close(code: number): void }): void
}

/** Header of the response to a listener: the newest id. */
export const LAST = 'sluice-last'

/** What a listener sends from time to time. The platform replies, even while the object hibernates. */
export const PING = 'ping'

/** The stored events of the topic: each has its own key, for the numbers from `first` to `number`. */
interface Log {
  readonly epoch: number
  readonly number: number
  readonly first: number
  /** When the newest event was stored, in milliseconds since 1970. */
  readonly at: number
}

const LOG = 'log'

/** How many keys the platform deletes in one call. */
const MAX_KEYS = 128

/** Keys of events sort by their numbers, and before `n`. */
const keyOf = (number: number): string => `m${`${number}`.padStart(16, '0')}`

const idOf = (log: Log | undefined): string => (log ? `${log.epoch}-${log.number}` : NOTHING)

/** The globals of Workers that are used here. */
declare const WebSocketPair: new () => Record<0 | 1, object>
declare const WebSocketRequestResponsePair: new (request: string, response: string) => object

/**
 * The class of the object. While it waits for its storage, the platform handles no other request, so publishes have one
 * order, and holds back messages, so no listener gets an event that is lost later.
 */
export const topicObject = (keep: number, retentionMs: number): (new (state: ChannelObjectState) => ChannelObject) =>
  class implements ChannelObject {
    readonly #state: ChannelObjectState

    constructor(state: ChannelObjectState) {
      this.#state = state
      state.setWebSocketAutoResponse(new WebSocketRequestResponsePair(PING, 'pong'))
    }

    async fetch(request: Request): Promise<Response> {
      if (request.method === 'POST') return this.#publish(await request.text())
      if (request.headers.has('upgrade')) return this.#listen()
      const { searchParams } = new URL(request.url)
      return this.#read(searchParams.get('after') ?? NOTHING, Number(searchParams.get('limit')))
    }

    async #publish(text: string): Promise<Response> {
      const { storage } = this.#state
      const now = Date.now()
      const stored = await storage.get<Log>(LOG)
      const number = (stored?.number ?? 0) + 1
      const epoch = stored?.epoch ?? now
      const oldest = Math.max(1, number - keep + 1)
      const before = stored?.first ?? 1
      const first = Math.min(oldest, before + MAX_KEYS)
      const log: Log = { epoch, number, first, at: now }
      const expiredKeys = Array.from({ length: first - before }, (_, at) => keyOf(before + at))
      await Promise.all([
        storage.put({ [LOG]: log, [keyOf(number)]: text }),
        expiredKeys.length && storage.delete(expiredKeys),
      ])
      if ((await storage.getAlarm()) === null) await storage.setAlarm(now + retentionMs)
      const id = idOf(log)
      for (const socket of this.#state.getWebSockets()) {
        try {
          socket.send(`${id} ${text}`)
        } catch {} // The socket has closed: its listener reconnects
      }
      return new Response(id)
    }

    async #read(after: string, limit: number): Promise<Response> {
      const log = await this.#state.storage.get<Log>(LOG)
      const [seenEpoch = 0, seen = 0] = after.split('-').map(Number)
      let messages: { id: string; text: string }[] = []
      if (log && seenEpoch <= log.epoch) {
        const from = Math.max(log.first, seenEpoch === log.epoch ? seen + 1 : 0)
        const stored = await this.#state.storage.list<string>({ start: keyOf(from), end: 'n', limit })
        messages = [...stored.values()].map((text, at) => ({ id: `${log.epoch}-${from + at}`, text }))
      }
      return Response.json({ messages, last: idOf(log) })
    }

    async #listen(): Promise<Response> {
      const log = await this.#state.storage.get<Log>(LOG)
      const { 0: client, 1: server } = new WebSocketPair()
      this.#state.acceptWebSocket(server)
      return new Response(null, { status: 101, headers: { [LAST]: idOf(log) }, webSocket: client } as ResponseInit)
    }

    async alarm(): Promise<void> {
      const { storage } = this.#state
      const log = await storage.get<Log>(LOG)
      const end = (log?.at ?? 0) + retentionMs
      if (end > Date.now()) await storage.setAlarm(end)
      else await storage.deleteAll()
    }

    /** Workers wait for our close frame (RFC 6455 §5.5.1). */
    webSocketClose(socket: { close(code: number): void }): void {
      try {
        socket.close(1000)
      } catch {} // Already closed
    }
  }
