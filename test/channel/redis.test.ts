import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { redisChannel } from '../../src/channel/redis.ts'
import { createChannel } from '../../src/channel.ts'
import { describeService } from '../services.ts'
import { type RedisConnection, redisClients } from '../stores/clients.ts'
import { channelContract, eventsOf, take } from './contract.ts'

describe.each(redisClients)('redisChannel by %s', (_, connect) => {
  describeService('redis', 'as a backend', (url) => {
    const prefix = `live:${randomUUID()}:`
    const connections: RedisConnection[] = []
    const open = async (keep: number, more: object = {}) => {
      const [one, two] = await Promise.all([connect(url), connect(url)])
      connections.push(one, two)
      return redisChannel({ send: one.send, reader: two.send, prefix, keep, ...more })
    }
    afterAll(async () => {
      const { send, close } = await connect(url)
      const keys = (await send(['KEYS', `${prefix}*`])) as string[]
      if (keys.length) await send(['DEL', ...keys])
      await close()
      await Promise.all(connections.map((each) => each.close()))
    })

    channelContract({ open, shared: true })

    let send: RedisConnection['send']
    beforeAll(async () => {
      const connection = await connect(url)
      connections.push(connection)
      send = connection.send
    })

    test('CH2: a topic is a stream of at most `keep` entries, and ends by itself', async () => {
      const channel = createChannel<number>(await open(5, { retentionMs: 60_000 }))
      const topic = randomUUID()
      for (let n = 0; n < 20; n++) await channel.publish(topic, n)
      expect(await send(['XLEN', prefix + topic])).toBe(5)
      const left = Number(await send(['PTTL', prefix + topic]))
      expect(left > 0 && left <= 60_000).toBe(true)
      await channel.close()
    })

    test('CH3: a lost stream is created again, and live and reconnecting subscribers get a gap', async () => {
      const channel = createChannel<number>(await open(50))
      const topic = randomUUID()
      const live = channel.subscribe(topic)
      await live.ready
      const old = await channel.publish(topic, 1)
      expect(eventsOf(await take(live, 1))).toEqual([1])
      await send(['DEL', prefix + topic])
      await channel.publish(topic, 2)
      expect(await take(live, 1)).toMatchObject([{ event: 2, gap: true }])
      expect(await take(channel.subscribe(topic, { after: old }), 1)).toMatchObject([{ event: 2, gap: true }])
      await channel.close()
    })

    test('CH2: many topics share one reader, and each hears its own', async () => {
      const channel = createChannel<number>(await open(50))
      const topics = Array.from({ length: 50 }, () => randomUUID())
      const subscriptions = topics.map((topic) => channel.subscribe(topic))
      await Promise.all(subscriptions.map(({ ready }) => ready))
      await Promise.all(topics.map((topic, n) => channel.publish(topic, n)))
      const seen = await Promise.all(subscriptions.map((subscription) => take(subscription, 1)))
      expect(seen.map(([message]) => message!.event)).toEqual(topics.map((_, n) => n))
      await channel.close()
    })
  })
})

describe('redisChannel without Redis', () => {
  const down = () => Promise.reject(new Error('ECONNREFUSED'))

  test('CH1: a publish fails after timeoutMs with an error that says so', async () => {
    const channel = createChannel(redisChannel({ send: () => new Promise(() => {}), reader: down, timeoutMs: 20 }))
    await expect(channel.publish('a', 1)).rejects.toMatchObject({
      code: 'backend',
      message: 'Publishing to "a" failed: Redis did not answer EVALSHA within 20 ms',
    })
  })

  test('CH1: subscriptions end when the reader gives up, with an error that says so', async () => {
    const channel = createChannel(redisChannel({ send: async () => [], reader: down, giveUpMs: 30 }))
    await expect(channel.subscribe('a').next()).rejects.toMatchObject({
      code: 'backend',
      message: 'The backend has given up the topic "a": ECONNREFUSED',
    })
  })

  const send = async (): Promise<unknown> => null
  test.each([
    [{ reader: down }, 'redisChannel: send: expected a function, got undefined'],
    [{ send }, 'redisChannel: reader: expected a function that sends over its own connection, got undefined'],
    [{ send, reader: send }, 'redisChannel: reader: expected a function that sends over its own connection'],
    [{ send, reader: down, keep: 0 }, 'redisChannel: keep: expected a whole number of events from 1, got 0'],
    [{ send, reader: down, kep: 0 }, 'redisChannel: kep: unknown option, did you mean "keep"?'],
  ])('CH2: the options %j are refused', (options, message) => {
    expect(() => redisChannel(options as never)).toThrow(message)
  })
})
