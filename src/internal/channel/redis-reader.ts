import { type RedisSend, redisReply } from '../store/redis.ts'
import { type ChannelListener, type StoredMessage, withGaps } from './backend.ts'

/** An entry of a stream as clients return it: its id, and its fields as names and values in turn. */
export type StreamEntry = readonly [unknown, readonly unknown[]]

export const toMessages = (entries: readonly StreamEntry[]): StoredMessage[] =>
  entries.map(([id, fields]) => ({ id: `${id}`, text: `${fields[1]}` }))

/** One blocking reader for all topics of a process. */
export interface StreamReader {
  /** Pass the entries of a stream after an id to a listener. @returns a function that stops this */
  add(key: string, from: string, listener: ChannelListener): Promise<() => void>
  close(): void
}

interface ReaderOptions {
  readonly reader: RedisSend
  readonly command: (...args: string[]) => Promise<unknown>
  readonly prefix: string
  readonly giveUpMs: number
  readonly timeoutMs: number
}

interface Followed {
  last: string
  readonly listener: ChannelListener
}

/** How long a read waits in Redis if there is no entry, in milliseconds. */
const BLOCK_MS = 5000

export const createStreamReader = ({ reader, command, prefix, giveUpMs, timeoutMs }: ReaderOptions): StreamReader => {
  const streams = new Map<string, Followed>()
  let loop: Promise<void> | undefined
  /** A read that was not answered in time is still waited for: each further one would wait behind it in Redis. */
  let asking: Promise<unknown> | undefined
  let wakeKey = ''
  let wakeId = '0-0'

  /** End the read that is waiting, which does not include new streams, by an entry in a stream of this reader. */
  const wake = async (): Promise<void> => {
    await command('XADD', wakeKey, 'MAXLEN', '1', '*', 'w', '1')
    await command('PEXPIRE', wakeKey, '60000')
  }
  const ask = (): Promise<unknown> => {
    const keys = [wakeKey, ...streams.keys()]
    const ids = [wakeId, ...[...streams.values()].map(({ last }) => last)]
    const asked = reader(['XREAD', 'COUNT', '256', 'BLOCK', `${BLOCK_MS}`, 'STREAMS', ...keys, ...ids])
    const settled = (): void => {
      if (asking === asked) asking = undefined
    }
    asked.then(settled, settled)
    return asked
  }
  const readOnce = async (): Promise<void> => {
    asking ??= ask()
    const asked = asking
    const reply = await redisReply(BLOCK_MS + timeoutMs, 'XREAD', () => asked)
    for (const [key, entries] of pairsOf(reply)) {
      if (`${key}` === wakeKey) wakeId = `${entries.at(-1)?.[0] ?? wakeId}`
      const stream = streams.get(`${key}`)
      if (!stream) continue
      if (!Array.isArray(entries)) throw new TypeError('The client returned an unexpected reply to XREAD')
      for (const message of withGaps(stream.last, toMessages(entries))) {
        stream.last = message.id
        stream.listener.next(message)
      }
    }
  }
  const follow = async (): Promise<void> => {
    let since = 0
    let pauseMs = 20
    while (streams.size) {
      try {
        await readOnce()
        since = 0
        pauseMs = 20
      } catch (error) {
        since ||= performance.now()
        if (performance.now() - since > giveUpMs) return giveUp(error as Error) // Error: clients reject with one
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
        pauseMs = Math.min(1000, pauseMs * 2)
      }
    }
  }
  const giveUp = (error: Error): void => {
    const told = [...streams.values()]
    streams.clear()
    for (const { listener } of told) listener.fail(error)
  }
  const run = async (): Promise<void> => {
    await follow()
    asking = undefined
    loop = undefined
    // A listener was added after the last check
    if (streams.size) loop = run()
  }

  return {
    async add(key, from, listener) {
      wakeKey ||= `${prefix}wake:${crypto.randomUUID()}`
      const followed = { last: from, listener }
      const stop = (): void => {
        if (streams.get(key) === followed) streams.delete(key)
      }
      streams.set(key, followed)
      try {
        if (loop) await wake()
        else loop = run()
      } catch (error) {
        stop()
        throw error
      }
      return stop
    },
    close() {
      const wasReading = loop !== undefined
      streams.clear()
      if (wasReading) wake().catch(() => {})
    },
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
