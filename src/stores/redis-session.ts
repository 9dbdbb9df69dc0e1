import { type SessionStore, storedObject } from '../internal/session/session-store.ts'
import { type RedisOptions, redisClient, replyText } from '../internal/store/redis.ts'

export type { RedisSend } from '../internal/store/redis.ts'

/** Options of {@link redisSession}. */
export interface RedisSessionOptions extends RedisOptions {
  /** Prefix of every key. @default 'sluice:session:' */
  readonly prefix?: string
}

/** Writes only if the session still has the data that the caller has read. */
const COMPARE_AND_SET = `
if redis.call('GET', KEYS[1]) ~= ARGV[3] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
return 1`

/**
 * Keep sessions in Redis or Valkey, as JSON, for all processes together. Redis deletes them when they expire.
 *
 * @throws {TypeError} if `send` is not a function.
 * @example
 * session({ secret, store: redisSession({ send: (args) => client.sendCommand(args) }) })
 */
export const redisSession = (options: RedisSessionOptions): Required<SessionStore> => {
  const { command, run } = redisClient('redisSession', options, 'sluice:session:')
  return {
    async get(id) {
      const json = replyText(await command('GET', id))
      return json === undefined ? undefined : storedObject(json)
    },
    async set(id, data, ttlSeconds = 86_400) {
      await command('SET', id, JSON.stringify(data), 'EX', `${ttlSeconds}`)
    },
    async destroy(id) {
      return Number(await command('DEL', id)) > 0
    },
    async replace(id, data, ttlSeconds, expected) {
      const json = JSON.stringify(data)
      if (expected !== undefined) return (await run(COMPARE_AND_SET, id, json, `${ttlSeconds}`, expected)) === 1
      return (await command('SET', id, json, 'EX', `${ttlSeconds}`, 'XX')) !== null
    },
    touch: (id, ttlSeconds) => command('EXPIRE', id, `${ttlSeconds}`),
  }
}
