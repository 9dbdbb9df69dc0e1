import { type RedisSend, redisReply } from '../store/redis.ts'
import { type ChannelListener, CLOSED, type StoredMessage, withGaps } from './backend.ts'
import { compareIds } from './message-id.ts'

/** An entry of a stream as clients return it: its id, and its fields as names and values in turn. */
export type StreamEntry = readonly [unknown, readonly unknown[]]

export const toMessages = (entries: readonly StreamEntry[]): StoredMessage[] =>
  entries.map(([id, fields]) => ({ id: `${id}`, text: `${fields[1]}` }))

/** One blocking reader for all topics of a process. */
export interface StreamReader {
  /** Pass the entries of a stream after an id to a listener. @returns a function that stops this */
  add(key: string, from: string, listener: ChannelListener): Promise<() => void>
  /** Ends the remaining listeners. */
  close(): Promise<void>
}

interface ReaderOptions {
  readonly reader: RedisSend
  /** Run a script on one key. */
  readonly run: (text: string, key: string) => Promise<unknown>
  readonly prefix: string
  readonly giveUpMs: number
  readonly timeoutMs: number
}

interface StreamSubscription {
  last: string
  readonly listener: ChannelListener
}

/** How long a read waits in Redis if there is no entry, in milliseconds. */
const BLOCK_MS = 5000

/** Adds an entry that expires, in one atomic step: a process may end at any time, and must not leave a key behind. */
const WAKE = `
redis.call('XADD', KEYS[1], 'MAXLEN', 1, '*', 'w', 1)
redis.call('PEXPIRE', KEYS[1], 60000)`

export const createStreamReader = ({
  reader,
  run: runScript,
  prefix,
  giveUpMs,
  timeoutMs,
}: ReaderOptions): StreamReader => {
  /** Several channels may have the same backend, and each has a listener for a topic. */
  const streams = new Map<string, Set<StreamSubscription>>()
  let loop: Promise<void> | undefined
  /** A read that was not answered in time is still waited for: each further one would wait behind it in Redis. */
  let pendingRead: Promise<unknown> | undefined
  let wakeKey = ''
  let wakeId = '0-0'

  /** End the read that is waiting, which does not include new streams, by an entry in a stream of this reader. */
  const wake = (): Promise<unknown> => runScript(WAKE, wakeKey)
  const startRead = (): Promise<unknown> => {
    const keys = [wakeKey, ...streams.keys()]
    const ids = [wakeId, ...[...streams.values()].map(oldestOf)]
    const read = reader(['XREAD', 'COUNT', '256', 'BLOCK', `${BLOCK_MS}`, 'STREAMS', ...keys, ...ids])
    const onSettled = (): void => {
      if (pendingRead === read) pendingRead = undefined
    }
    read.then(onSettled, onSettled)
    return read
  }
  const readOnce = async (): Promise<void> => {
    pendingRead ??= startRead()
    const read = pendingRead
    const reply = await redisReply(BLOCK_MS + timeoutMs, 'XREAD', () => read)
    for (const [key, entries] of pairsOf(reply)) {
      if (`${key}` === wakeKey) wakeId = `${entries.at(-1)?.[0] ?? wakeId}`
      const listening = streams.get(`${key}`)
      if (!listening) continue
      if (!Array.isArray(entries)) throw new TypeError('The client returned an unexpected reply to XREAD')
      const messages = toMessages(entries)
      for (const subscription of listening) deliver(subscription, messages)
    }
  }
  const follow = async (): Promise<void> => {
    let failingSince = 0
    let pauseMs = 20
    while (streams.size) {
      try {
        await readOnce()
        failingSince = 0
        pauseMs = 20
      } catch (error) {
        failingSince ||= performance.now()
        if (performance.now() - failingSince > giveUpMs) return giveUp(error as Error) // Error: clients reject with one
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
        pauseMs = Math.min(1000, pauseMs * 2)
      }
    }
  }
  const giveUp = (error: Error): void => {
    const subscriptions = [...streams.values()].flatMap((listening) => [...listening])
    streams.clear()
    for (const { listener } of subscriptions) listener.fail(error)
  }
  const run = async (): Promise<void> => {
    await follow()
    pendingRead = undefined
    loop = undefined
    // A listener was added after the last check
    if (streams.size) loop = run()
  }

  return {
    async add(key, from, listener) {
      wakeKey ||= `${prefix}wake:${crypto.randomUUID()}`
      const subscription = { last: from, listener }
      const listening = streams.get(key) ?? new Set()
      const stop = (): void => {
        listening.delete(subscription)
        if (!listening.size && streams.get(key) === listening) streams.delete(key)
      }
      streams.set(key, listening.add(subscription))
      try {
        if (loop) await wake()
        else loop = run()
      } catch (error) {
        stop()
        throw error
      }
      return stop
    },
    async close() {
      const wasReading = loop !== undefined
      giveUp(new Error(CLOSED))
      if (wasReading) await wake().catch(() => {})
    },
  }
}

/** The id from which on a stream must be read, so that each of its listeners gets all messages. */
const oldestOf = (listening: Iterable<StreamSubscription>): string =>
  Array.from(listening, ({ last }) => last).reduce((a, b) => (compareIds(a, b) < 0 ? a : b))

const deliver = (subscription: StreamSubscription, messages: readonly StoredMessage[]): void => {
  const fresh = messages.filter(({ id }) => compareIds(id, subscription.last) > 0)
  for (const message of withGaps(subscription.last, fresh)) {
    subscription.last = message.id
    subscription.listener.next(message)
  }
}

/**
 * The entries that XREAD found, by key: a list of pairs in RESP2, and in RESP3 a map, which clients return as a `Map`,
 * an object, or one list of keys and values in turn.
 */
const pairsOf = (reply: unknown): Iterable<readonly [unknown, readonly StreamEntry[]]> => {
  if (reply === null || reply === undefined) return []
  if (!Array.isArray(reply)) return reply instanceof Map ? reply : Object.entries(reply)
  if (Array.isArray(reply[0])) return reply
  return reply.flatMap((key, at) => (at % 2 ? [] : [[key, reply[at + 1]] as const]))
}
