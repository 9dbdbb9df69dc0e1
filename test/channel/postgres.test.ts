import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type PostgresPool, postgresChannel } from '../../src/channel/postgres.ts'
import { createChannel } from '../../src/channel.ts'
import { createScratchDatabase, describeService, type ScratchDatabase } from '../services.ts'
import { channelContract, eventsOf, take } from './contract.ts'

describeService('postgres', 'postgresChannel', () => {
  let scratch: ScratchDatabase
  const pools: pg.Pool[] = []
  let driver: typeof pg
  const pool = (max = 6): pg.Pool => {
    const made = new driver.Pool({ connectionString: scratch.url, max })
    made.on('error', () => {})
    pools.push(made)
    return made
  }
  beforeAll(async () => {
    // Once services.ts has mended how it loads
    driver = (await import('pg')).default
    scratch = await createScratchDatabase('postgres')
  })
  afterAll(async () => {
    await Promise.all(pools.map((each) => each.end()))
    await scratch.drop()
  })
  const open = async (keep: number) => postgresChannel({ pool: pool(), keep })

  describe('as a backend', () => channelContract({ open, shared: true }))

  test('CH2: the largest event passes, a byte more is refused with an error that says so', async () => {
    const channel = createChannel<string>(await open(5))
    const subscription = channel.subscribe('a')
    await subscription.ready
    const most = 7999 - 34 - ' 3 "a"'.length - 2
    await channel.publish('a', 'x'.repeat(most))
    expect((await take(subscription, 1))[0]!.event).toHaveLength(most)
    await expect(channel.publish('a', 'x'.repeat(most + 1))).rejects.toMatchObject({
      code: 'too_large',
      message: 'A notification of PostgreSQL has at most 7999 bytes, got 8000',
    })
    await channel.close()
  })

  test('CH2: the table has `keep` events of a topic, and about every hundredth publish deletes the expired ones', async () => {
    const one = pool(1)
    const table = 'keeps'
    const channel = createChannel<number>(postgresChannel({ pool: one, table, keep: 3, retentionMs: 60_000 }))
    for (let n = 1; n <= 5; n++) await channel.publish('a', n)
    const events = async (): Promise<string[]> => {
      const { rows } = await one.query(`select topic || event as kept from ${table} order by topic, number`)
      return rows.map(({ kept }) => kept)
    }
    expect(await events()).toEqual(['"a"3', '"a"4', '"a"5'])
    await one.query(`update ${table} set at = clock_timestamp() - interval '61 seconds' where event = '4'`)
    /** Choose what `random()` of the session says next. */
    const fate = async (wanted: (next: number) => boolean): Promise<void> => {
      for (let seed = 0; ; seed += 0.001) {
        await one.query('select setseed($1)', [seed])
        const { rows } = await one.query('select random() as next')
        if (!wanted(rows[0].next)) continue
        await one.query('select setseed($1)', [seed])
        return
      }
    }
    await fate((next) => next >= 0.01)
    await channel.publish('b', 1)
    expect(await events()).toEqual(['"a"3', '"a"4', '"a"5', '"b"1'])
    await fate((next) => next < 0.01)
    await channel.publish('b', 2)
    expect(await events()).toEqual(['"a"3', '"a"5', '"b"1', '"b"2'])
    await channel.close()
  })

  test('CH3: when the connection that listens is cut, what was published meanwhile comes from the table', async () => {
    const channel = createChannel<number>(await open(1000))
    const other = pool()
    const publisher = createChannel<number>(postgresChannel({ pool: other, keep: 1000 }))
    const topic = randomUUID()
    const subscription = channel.subscribe(topic)
    await subscription.ready
    await publisher.publish(topic, 0)
    for (let n = 1; n <= 30; n++) {
      if (n % 10 === 5)
        await other.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen sluice_channel' and datname = current_database()`,
        )
      await publisher.publish(topic, n)
    }
    const taken = await take(subscription, 31)
    expect(eventsOf(taken)).toEqual(Array.from({ length: 31 }, (_, n) => n))
    expect(taken.some(({ gap }) => gap)).toBe(false)
    await Promise.all([channel.close(), publisher.close()])
  })
})

describe('postgresChannel', () => {
  test.each([
    [{}, 'postgresChannel: pool: expected a pool of pg, got undefined'],
    [
      { pool: { connect() {} }, table: 'a; drop' },
      'postgresChannel: table: expected a name of lower-case letters, digits and "_", got "a; drop"',
    ],
    [{ pool: { connect() {} }, keep: 0 }, 'postgresChannel: keep: expected a whole number of events from 1, got 0'],
  ])('CH2: the options %j are refused', (options, message) => {
    expect(() => postgresChannel(options as never)).toThrow(message)
  })
})

test('CH3: a notification over a new connection, before the table was read, is not reported as a gap', async () => {
  const clients: EventEmitter[] = []
  let kept: { id: string; event: string; last: string }[] = []
  const pool: PostgresPool = {
    query: async (text, values = []) => {
      const after = Number(values[2])
      const rows = kept.filter(({ id }) => Number(id.split('-')[1]) > after)
      return { rows: /^\s*(select|with)/i.test(text) ? rows : [] }
    },
    async connect() {
      const client = Object.assign(new EventEmitter(), {
        async query() {
          // The answer to LISTEN and the notification are in one packet
          if (clients.length === 2) client.emit('notification', { payload: '1-3 3 "a"3' })
        },
        release() {},
      })
      clients.push(client)
      return client
    },
  }
  const channel = createChannel<number>(postgresChannel({ pool }))
  const subscription = channel.subscribe('a')
  await subscription.ready
  clients[0]!.emit('notification', { payload: '1-1 3 "a"1' })
  kept = [2, 3].map((n) => ({ id: `1-${n}`, event: `${n}`, last: '1-3' }))
  clients[0]!.emit('end')
  const taken = await take(subscription, 3)
  expect(taken.map(({ event, gap }) => ({ event, gap }))).toEqual([
    { event: 1, gap: false },
    { event: 2, gap: false },
    { event: 3, gap: false },
  ])
  await channel.close()
})
