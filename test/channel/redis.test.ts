import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { redisChannel } from '../../src/channel/redis.ts'
import { createChannel } from '../../src/channel.ts'
import { sse } from '../../src/respond/sse.ts'
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

    test('CH2: what others write into a stream and is not JSON is a gap, and ends nothing', async () => {
      const channel = createChannel<number>(await open(50))
      const topic = randomUUID()
      const live = channel.subscribe(topic)
      const start = await live.ready
      await channel.publish(topic, 1)
      await send(['XADD', prefix + topic, '*', 'e', 'not json', 'more', 'fields'])
      await channel.publish(topic, 2)
      const expected = [
        { event: 1, gap: false },
        { event: 2, gap: true },
      ]
      expect(await take(live, 2)).toMatchObject(expected)
      expect(await take(channel.subscribe(topic, { after: start }), 2)).toMatchObject(expected)
      const header = () => start
      for (const toEvent of [undefined, (event: number) => ({ event: 'n', data: event })]) {
        const response = sse(channel.stream({ header }, topic, toEvent && { toEvent }), { heartbeatMs: 0 })
        const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
        let text = ''
        while (!text.includes('data: 2')) text += (await reader.read()).value
        await reader.cancel()
        expect(text.replace(/id: .*\n/g, '')).toBe(
          toEvent
            ? '\nevent: n\ndata: 1\n\nevent: gap\ndata: \n\nevent: n\ndata: 2\n\n'
            : '\ndata: 1\n\nevent: gap\ndata: \n\ndata: 2\n\n',
        )
      }
      await channel.close()
    })

    test('CH1: the key with which a reader is woken up ends by itself', async () => {
      const channel = createChannel<number>(await open(5))
      await channel.subscribe(randomUUID()).ready
      await channel.subscribe(randomUUID()).ready
      await channel.close()
      const keys = (await send(['KEYS', `${prefix}wake:*`])) as string[]
      expect(keys.length).toBeGreaterThan(0)
      for (const key of keys) expect(Number(await send(['PTTL', key]))).toBeGreaterThan(0)
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
      message: 'Publishing to "a" failed: Redis did not answer EVAL within 20 ms',
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
