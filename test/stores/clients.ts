import { Redis } from 'ioredis'
import { createClient } from 'redis'
import type { RedisSend } from '../../src/stores/redis-rate-limit.ts'

/** A connected Redis client as the stores see it. */
export interface RedisConnection {
  readonly send: RedisSend
  readonly close: () => Promise<unknown>
}

export const redisClients: readonly (readonly [string, (url: string) => Promise<RedisConnection>])[] = [
  [
    'redis',
    async (url) => {
      const client = createClient({ url })
      client.on('error', () => {})
      await client.connect()
      return { send: (args) => client.sendCommand(args), close: async () => client.destroy() }
    },
  ],
  [
    'ioredis',
    async (url) => {
      const client = new Redis(url, { lazyConnect: true })
      client.on('error', () => {})
      await client.connect()
      return { send: ([name, ...args]) => client.call(name!, ...args), close: async () => client.disconnect() }
    },
  ],
]
