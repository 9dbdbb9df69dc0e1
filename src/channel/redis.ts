import { type ChannelBackend, NOTHING, nextId, withGaps } from '../internal/channel/backend.ts'
import { createStreamReader, type StreamEntry, toMessages } from '../internal/channel/redis-reader.ts'
import { checkOption, checkWhole } from '../internal/options/check.ts'
import { type RedisOptions, type RedisSend, redisClient } from '../internal/store/redis.ts'

export type { RedisSend } from '../internal/store/redis.ts'

/** Options of {@link redisChannel}. */
export interface RedisChannelOptions extends RedisOptions {
  /** Sends a command like `send`, over a second connection, which waits for events. Use it for nothing else. */
  readonly reader: RedisSend
  /** Prefix of every key. In a cluster it needs a hash tag, such as `{live}:`. @default 'sluice:channel:' */
  readonly prefix?: string
  /** Events that are kept for each topic. @default 1000 */
  readonly keep?: number
  /** A topic is deleted when it has had no event for so many milliseconds. @default 86400000 */
  readonly retentionMs?: number
  /** How long a lost connection is retried before its subscriptions end, in milliseconds. @default 30000 */
  readonly giveUpMs?: number
}

/**
 * Adds an event. A log that was lost begins again with a newer epoch, so subscribers see that they missed events. The
 * epoch is in microseconds: a log can be lost within the millisecond in which it began.
 */
const PUBLISH = `
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local id
if last then
  local epoch, number = string.match(last[1], '^(%d+)%-(%d+)$')
  id = epoch .. '-' .. string.format('%.0f', number + 1)
else
  local now = redis.call('TIME')
  id = string.format('%.0f', now[1] * 1000000 + now[2]) .. '-1'
end
redis.call('XADD', KEYS[1], 'MAXLEN', ARGV[2], id, 'e', ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return id`

/** Reads the entries from an id on, and the newest id, in one step. */
const READ = `
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
return { redis.call('XRANGE', KEYS[1], ARGV[1], '+', 'COUNT', ARGV[2]), last and last[1] or '0-0' }`

/**
 * Send events to all processes through Redis or Valkey (Streams, Redis 5 or newer). Each topic is a stream that keeps
 * its newest events, so a client that lost its connection to one process gets the events that it missed from another.
 *
 * @throws {TypeError} for a bad option.
 * @example
 * const [client, reading] = [new Redis(url), new Redis(url)]
 * const backend = redisChannel({
 *   send: ([name, ...args]) => client.call(name, ...args),
 *   reader: ([name, ...args]) => reading.call(name, ...args),
 * })
 */
export const redisChannel = (options: RedisChannelOptions): ChannelBackend => {
  const client = redisClient('redisChannel', options, 'sluice:channel:', ' reader keep retentionMs giveUpMs')
  const { reader, keep = 1000, retentionMs = 86_400_000, giveUpMs = 30_000, timeoutMs = 1000 } = options
  const isReader = typeof reader === 'function' && reader !== options.send
  checkOption(isReader, 'redisChannel: reader', 'a function that sends over its own connection', typeof reader)
  checkWhole(keep, 'redisChannel: keep', 'events', 1)
  checkWhole(retentionMs, 'redisChannel: retentionMs', 'milliseconds', 1)
  checkWhole(giveUpMs, 'redisChannel: giveUpMs', 'milliseconds', 0)
  const streams = createStreamReader(reader, client, giveUpMs, timeoutMs)

  return {
    publish: async (topic, text) => `${await client.run(PUBLISH, topic, text, `${keep}`, `${retentionMs}`)}`,
    async read(topic, after, limit) {
      const reply = await client.run(READ, topic, nextId(after), `${limit}`)
      const [entries, last] = reply as [StreamEntry[], unknown] // as READ returns them
      return { messages: withGaps(after, toMessages(entries)), last: `${last}` }
    },
    async listen(topic, listener) {
      const [newest] = (await client.command('XREVRANGE', topic, '+', '-', 'COUNT', '1')) as StreamEntry[]
      const from = newest ? `${newest[0]}` : NOTHING
      return { from, stop: await streams.add(topic, from, listener) }
    },
    close: () => streams.close(),
  }
}
