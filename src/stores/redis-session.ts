import { checkNames } from '../internal/options/check.ts'
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
  checkNames('redisSession', options, 'send prefix:string timeoutMs')
  const { prefix = 'sluice:session:' } = options
  const { command, run } = redisClient('redisSession', options)
  return {
    async get(id) {
      const json = replyText(await command('GET', prefix + id))
      return json === undefined ? undefined : storedObject(json)
    },
    async set(id, data, ttlSeconds = 86_400) {
      await command('SET', prefix + id, JSON.stringify(data), 'EX', `${ttlSeconds}`)
    },
    async destroy(id) {
      return Number(await command('DEL', prefix + id)) > 0
    },
    async replace(id, data, ttlSeconds, expected) {
      const json = JSON.stringify(data)
      if (expected !== undefined)
        return (await run(COMPARE_AND_SET, prefix + id, json, `${ttlSeconds}`, expected)) === 1
      return (await command('SET', prefix + id, json, 'EX', `${ttlSeconds}`, 'XX')) !== null
    },
    touch: (id, ttlSeconds) => command('EXPIRE', prefix + id, `${ttlSeconds}`),
  }
}
