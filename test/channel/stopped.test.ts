import { connect as connectNats } from '@nats-io/transport-node'
import { Redis } from 'ioredis'
import { expect, test, vi } from 'vitest'
import { natsChannel } from '../../src/channel/nats.ts'
import { postgresChannel } from '../../src/channel/postgres.ts'
import { redisChannel } from '../../src/channel/redis.ts'
import { type ChannelBackend, createChannel } from '../../src/channel.ts'
import { describeService } from '../services.ts'
import { canStart, ended, startServer } from '../stoppable-server.ts'
import { eventsOf, take } from './contract.ts'
import type { EngineName } from './fixtures/backends.ts'

/** A backend of a process, with a client as its documentation shows it. */
const openers: Record<EngineName, (port: number, giveUpMs: number) => Promise<ChannelBackend>> = {
  async redis(port, giveUpMs) {
    const clients = [0, 1].map(() => new Redis(port, '127.0.0.1', { retryStrategy: () => 50 }))
    for (const client of clients) client.on('error', () => {})
    ended.push(() => clients.map((client) => client.disconnect()))
    const [send, reader] = clients.map(
      (client) =>
        ([name, ...args]: string[]) =>
          client.call(name!, ...args),
    )
    await vi.waitFor(() => clients[0]!.ping(), { timeout: 10_000 })
    return redisChannel({ send: send!, reader: reader!, giveUpMs, timeoutMs: 5000 })
  },
  async nats(port, giveUpMs) {
    const limits = { pingInterval: giveUpMs / 4, maxPingOut: 2, maxReconnectAttempts: 2, reconnectTimeWait: 50 }
    const servers = `nats://127.0.0.1:${port}`
    const open = () => connectNats({ servers, timeout: 1000, ...limits })
    const connection = await vi.waitFor(open, { timeout: 10_000 })
    ended.push(() => connection.close())
    return natsChannel({ connection })
  },
  async postgres(port, giveUpMs) {
    const { default: pg } = await import('pg')
    const pool = new pg.Pool({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres', max: 4 })
    pool.on('error', () => {})
    ended.push(() => pool.end())
    await vi.waitFor(() => pool.query('select 1'), { timeout: 10_000 })
    return postgresChannel({ pool, giveUpMs })
  },
}

for (const engine of ['redis', 'nats', 'postgres'] as const) {
  describeService(engine, `${engine} that accepts and never answers`, () => {
    test.runIf(canStart(engine))(
      'CH1: a publish ends with an error, further ones fail at once, and the subscription ends with an error',
      async () => {
        const server = await startServer(engine)
        const backend = await openers[engine](server.port, 2000)
        const publish = vi.spyOn(backend as { publish: ChannelBackend['publish'] }, 'publish')
        const channel = createChannel<number>(backend, { timeoutMs: 1000 })
        const subscription = channel.subscribe('a')
        await subscription.ready
        await channel.publish('a', 1)
        expect(eventsOf(await take(subscription, 1))).toEqual([1])
        const end = subscription.next()
        end.catch(() => {})
        await server.stop()
        await expect(channel.publish('a', 2)).rejects.toMatchObject({
          name: 'ChannelError',
          code: 'backend',
          message: 'Publishing to "a" was not answered within 1000 ms',
        })
        const trial = channel.publish('a', 3)
        trial.catch(() => {})
        for (let n = 0; n < 1000; n++)
          await expect(channel.publish('a', n)).rejects.toThrow('was not sent: the backend does not answer')
        expect(publish).toHaveBeenCalledTimes(3)
        await expect(trial).rejects.toMatchObject({ code: 'backend' })
        await expect(channel.subscribe('b').next()).rejects.toMatchObject({ code: 'backend' })
        const given = 'The backend has given up the topic "a"'
        await expect(end).rejects.toMatchObject({ code: 'backend', message: expect.stringContaining(given) })
        // Neither the subscription nor its end has published anything
        expect(publish).toHaveBeenCalledTimes(3)
        server.go()
        // The client of NATS has given up its connection
        if (engine === 'nats') return
        await vi.waitFor(() => channel.publish('a', 4), { timeout: 10_000 })
        const again = channel.subscribe('a')
        await again.ready
        await channel.publish('a', 5)
        expect(eventsOf(await take(again, 1))).toEqual([5])
        await channel.close()
      },
    )

    test.runIf(canStart(engine))(
      'CH3: that goes on after some seconds, loses nothing and repeats nothing',
      async () => {
        const server = await startServer(engine)
        const channel = createChannel<number>(await openers[engine](server.port, 30_000), { timeoutMs: 20_000 })
        const other = createChannel<number>(await openers[engine](server.port, 30_000), { timeoutMs: 20_000 })
        const subscription = channel.subscribe('a')
        const after = await subscription.ready
        await other.publish('a', 1)
        await server.stop()
        setTimeout(server.go, 7000)
        // What was published meanwhile may have come or not: the error says so
        const sent = other.publish('a', 2).then(
          () => true,
          () => false,
        )
        await sent
        await vi.waitFor(() => other.publish('a', 3), { timeout: 20_000, interval: 200 })
        const seen: number[] = []
        while (seen.at(-1) !== 3) seen.push(...eventsOf(await take(subscription, 1)))
        const kept = channel.subscribe('a', { after })
        expect(eventsOf(await take(kept, seen.length))).toEqual(seen)
        expect(seen.filter((event) => event === 1)).toEqual([1])
        await Promise.all([subscription.return(), kept.return()])
        await Promise.all([channel.close(), other.close()])
      },
    )
  })
}
