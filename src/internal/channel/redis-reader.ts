import type { RedisClient, RedisSend } from '../store/redis.ts'
import { inTime, timedOut } from '../time/in-time.ts'
import type { StoredMessage } from './backend.ts'
import { type ChannelListener, CLOSED, compareIds, deliver, type ListenerPosition, Listeners } from './backend.ts'
import { retry } from './follower.ts'

/** An entry of a stream as clients return it: its id, and its fields as names and values in turn. */
export type StreamEntry = readonly [unknown, readonly unknown[]]

export const toMessages = (entries: readonly StreamEntry[]): StoredMessage[] =>
  entries.map(([id, fields]) => ({ id: `${id}`, text: `${fields[1]}` }))

/** How long a read waits in Redis if there is no entry, in milliseconds. */
const BLOCK_MS = 5000

/** Adds an entry that expires, in one step: a process that ends must not leave a key behind. */
const WAKE = `
redis.call('XADD', KEYS[1], 'MAXLEN', 1, '*', 'w', 1)
redis.call('PEXPIRE', KEYS[1], 60000)`

/** One blocking reader for all topics of a process. */
export const createStreamReader = (
  reader: RedisSend,
  { prefix, run: runScript }: Pick<RedisClient, 'prefix' | 'run'>,
  giveUpMs: number,
  timeoutMs: number,
) => {
  const subscriptions = new Listeners<ListenerPosition>()
  const streams = subscriptions.byTopic
  const maxReadMs = BLOCK_MS + timeoutMs
  let loop: Promise<void> | undefined
  /** A late read is still waited for: a further one would wait behind it in Redis. */
  let pendingRead: Promise<unknown> | undefined
  let wakeKey = ''
  let wakeId = '0-0'

  /** End the read that waits without the new streams, by an entry in a stream of this reader. */
  const wake = (): Promise<unknown> => runScript(WAKE, wakeKey)
  const startRead = (): Promise<unknown> => {
    const keys = [wakeKey, ...streams.keys()].map((key) => prefix + key)
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
    const toError = (): Error => timedOut(`Redis did not answer XREAD within ${maxReadMs} ms`)
    const reply = await inTime(maxReadMs, toError, () => read)
    for (const [prefixed, entries] of pairsOf(reply)) {
      const key = `${prefixed}`.slice(prefix.length)
      if (key === wakeKey) wakeId = `${entries.at(-1)?.[0] ?? wakeId}`
      const listening = streams.get(key)
      if (!listening) continue
      if (!Array.isArray(entries)) throw new TypeError('The client returned an unexpected reply to XREAD')
      const messages = toMessages(entries)
      for (const subscription of listening) deliver(subscription, messages)
    }
  }
  const follow = async (): Promise<void> => {
    while (streams.size) await retry(giveUpMs, () => streams.size > 0, readOnce, 0)
  }
  const giveUp = (error: Error): void => {
    const ended = subscriptions.all()
    streams.clear()
    for (const { listener } of ended) listener.fail(error)
  }
  const run = async (): Promise<void> => {
    await follow().catch(giveUp)
    pendingRead = undefined
    loop = undefined
    // A listener was added after the last check
    if (streams.size) loop = run()
  }

  return {
    /** Pass the entries of a topic after an id to a listener. @returns a function that stops this */
    async add(topic: string, from: string, listener: ChannelListener): Promise<() => void> {
      wakeKey ||= `wake:${crypto.randomUUID()}`
      const stop = subscriptions.add(topic, { last: from, listener })
      try {
        if (loop) await wake()
        else loop = run()
      } catch (error) {
        stop()
        throw error
      }
      return stop
    },
    async close(): Promise<void> {
      const wasReading = loop !== undefined
      giveUp(new Error(CLOSED))
      if (wasReading) await wake().catch(() => {})
    },
  }
}

/** The id from which on a stream must be read, so that each of its listeners gets all messages. */
const oldestOf = (listening: Iterable<ListenerPosition>): string =>
  Array.from(listening, ({ last }) => last).reduce((a, b) => (compareIds(a, b) < 0 ? a : b))

/**
 * The entries of XREAD by key: pairs in RESP2; in RESP3 a map, which clients return as a `Map`, an object, or one list
 * of keys and values in turn.
 */
const pairsOf = (reply: unknown): Iterable<readonly [unknown, readonly StreamEntry[]]> => {
  if (reply === null || reply === undefined) return []
  if (!Array.isArray(reply)) return reply instanceof Map ? reply : Object.entries(reply)
  if (Array.isArray(reply[0])) return reply
  return reply.flatMap((key, at) => (at % 2 ? [] : [[key, reply[at + 1]] as const]))
}
