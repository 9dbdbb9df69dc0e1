import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type PostgresPool, postgresChannel } from '../../src/channel/postgres.ts'
import { createChannel } from '../../src/channel.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A client of a pool. What it does with a query is up to the test. */
class Client extends EventEmitter {
  readonly asked: string[] = []
  released = 0
  readonly #answer: (text: string) => Promise<unknown>

  constructor(answer: (text: string) => Promise<unknown>) {
    super()
    this.#answer = answer
  }

  query(text: string): Promise<unknown> {
    this.asked.push(text)
    return this.#answer(text)
  }

  release(): void {
    this.released++
    if (this.released > 1) throw new Error('released twice')
  }
}

const never = (): Promise<never> => new Promise(() => {})

/** A pool without a server: `stopped` answers nothing, `down` refuses. */
const createPool = () => {
  const state = { mode: 'up' as 'up' | 'stopped' | 'down', connects: [] as number[], clients: [] as Client[] }
  const answer = async <T>(value: T): Promise<T> => {
    if (state.mode === 'stopped') return never()
    if (state.mode === 'down') throw new Error('down')
    return value
  }
  const pool: PostgresPool = {
    query: () => answer({ rows: [] }),
    async connect() {
      state.connects.push(Math.round(performance.now()))
      await answer(undefined)
      const client = new Client(() => answer({}))
      state.clients.push(client)
      return client
    },
  }
  return { pool, state }
}

const follow = async (giveUpMs = 10_000) => {
  const { pool, state } = createPool()
  const channel = createChannel<number>(postgresChannel({ pool, giveUpMs }))
  const subscription = channel.subscribe('a')
  await subscription.ready
  const next = subscription.next()
  next.catch(() => {})
  return { channel, subscription, next, state }
}
const GIVEN_UP = 'The backend has given up the topic "a": '

test('CH1: a server that stops answering without a word is noticed, and ends its subscriptions with an error', async () => {
  const { next, state } = await follow()
  await vi.advanceTimersByTimeAsync(5000)
  expect(state.clients[0]!.asked).toEqual(['listen sluice_channel', 'select 1'])
  state.mode = 'stopped'
  await vi.advanceTimersByTimeAsync(10_000)
  // Asked after 10 seconds, not answered after 15
  expect(state.clients[0]!.released).toBe(1)
  await vi.advanceTimersByTimeAsync(16_000)
  await expect(next).rejects.toMatchObject({
    code: 'backend',
    message: `${GIVEN_UP}PostgreSQL did not answer within 5000 ms`,
  })
  // The connection that was asked for may still come: then it is not kept
  expect(state.connects).toHaveLength(2)
})

test('CH1: a connection that comes after its subscriptions have ended goes back to the pool', async () => {
  const { pool, state } = createPool()
  let late!: () => void
  const connect = pool.connect
  const channel = createChannel<number>(
    postgresChannel({
      pool: {
        ...pool,
        connect: async () => {
          if (state.connects.length) await new Promise<void>((resolve) => (late = resolve))
          return connect()
        },
      },
      giveUpMs: 1000,
    }),
  )
  const subscription = channel.subscribe('a')
  await subscription.ready
  const next = subscription.next()
  next.catch(() => {})
  state.clients[0]!.emit('end')
  await vi.advanceTimersByTimeAsync(10_000)
  await expect(next).rejects.toMatchObject({ code: 'backend' })
  late()
  await vi.advanceTimersByTimeAsync(0)
  expect(state.clients.map(({ released }) => released)).toEqual([1, 1])
  expect(vi.getTimerCount()).toBe(0)
})

test('CH1: a server that answers again within the time is asked on, and nothing ends', async () => {
  const { state, channel } = await follow()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(state.connects).toHaveLength(1)
  expect(state.clients[0]!.asked).toHaveLength(13)
  await channel.close()
  await vi.advanceTimersByTimeAsync(0)
  expect(vi.getTimerCount()).toBe(0)
})

test('CH2: a lost connection is replaced after 20 ms, and then after twice as long each time, until it gives up', async () => {
  const { next, state } = await follow(3000)
  state.mode = 'down'
  const begin = Math.round(performance.now())
  state.clients[0]!.emit('error', new Error('cut'))
  await vi.advanceTimersByTimeAsync(10_000)
  await expect(next).rejects.toMatchObject({ message: `${GIVEN_UP}down` })
  expect(state.connects.slice(1).map((at) => at - begin)).toEqual([0, 20, 60, 140, 300, 620, 1260, 2260, 3260])
  expect(state.clients[0]!.released).toBe(1)
})

test('CH1: a failed LISTEN gives its connection back, and the next subscription tries again', async () => {
  const { pool, state } = createPool()
  const connect = pool.connect
  let refused = 0
  const refusing: PostgresPool = {
    ...pool,
    async connect() {
      const client = (await connect()) as Client
      if (!refused++) client.query = async () => Promise.reject(new Error('no rights'))
      return client
    },
  }
  const channel = createChannel<number>(postgresChannel({ pool: refusing }))
  await expect(channel.subscribe('a').ready).rejects.toThrow('no rights')
  expect(state.clients[0]!.released).toBe(1)
  await channel.subscribe('a').ready
  expect(state.clients).toHaveLength(2)
  await channel.close()
  await vi.advanceTimersByTimeAsync(0)
  expect(vi.getTimerCount()).toBe(0)
})

test('CH1: the last subscription that leaves gives the connection back, and the next one gets another', async () => {
  const { channel, subscription, state } = await follow()
  const other = channel.subscribe('b')
  await other.ready
  await other.return()
  await vi.advanceTimersByTimeAsync(0)
  expect(state.clients[0]!.released).toBe(0)
  await subscription.return()
  await vi.advanceTimersByTimeAsync(0)
  expect(state.clients[0]!.released).toBe(1)
  await channel.subscribe('a').ready
  expect(state.clients).toHaveLength(2)
  await channel.close()
})

test('CH1: a subscription that fails after LISTEN leaves no connection and no timer behind', async () => {
  const { pool, state } = createPool()
  const query = async (text: string) => {
    if (/^\s*with/.test(text)) throw new Error('no rights')
    return { rows: [] }
  }
  const channel = createChannel<number>(postgresChannel({ pool: { ...pool, query } }))
  await expect(channel.subscribe('a').ready).rejects.toThrow('no rights')
  await vi.advanceTimersByTimeAsync(0)
  expect(state.clients.map(({ released }) => released)).toEqual([1])
  expect(vi.getTimerCount()).toBe(0)
})

test('CH1: a connection that comes after its only subscription has failed goes back to the pool', async () => {
  const { pool, state } = createPool()
  let late!: () => void
  const waiting = new Promise<void>((resolve) => (late = resolve))
  const connect = async () => {
    await waiting
    return pool.connect()
  }
  const channel = createChannel<number>(postgresChannel({ pool: { ...pool, connect }, giveUpMs: 2000 }))
  const ready = channel.subscribe('a').ready
  ready.catch(() => {})
  await vi.advanceTimersByTimeAsync(10_000)
  await expect(ready).rejects.toMatchObject({ code: 'backend' })
  late()
  await vi.advanceTimersByTimeAsync(0)
  expect(state.clients.map(({ released }) => released)).toEqual([1])
  expect(vi.getTimerCount()).toBe(0)
})

test('CH1: a connection that nobody waits for any more leaves the one that has replaced it alone when it breaks', async () => {
  const { pool, state } = createPool()
  const connect = async () => {
    const client = (await pool.connect()) as Client
    if (state.clients.length === 1) client.query = never
    return client
  }
  const channel = createChannel<number>(postgresChannel({ pool: { ...pool, connect }, giveUpMs: 2000 }))
  const failed = channel.subscribe('a').ready
  failed.catch(() => {})
  await vi.advanceTimersByTimeAsync(1500)
  await expect(failed).rejects.toMatchObject({ code: 'backend' })
  await channel.subscribe('b').ready
  state.clients[0]!.emit('error', new Error('cut'))
  await vi.advanceTimersByTimeAsync(100)
  expect(state.connects).toHaveLength(2)
  await channel.close()
  await vi.advanceTimersByTimeAsync(2000)
  expect(state.clients.map(({ released }) => released)).toEqual([1, 1])
  expect(vi.getTimerCount()).toBe(0)
})

test('CH2: a table that cannot be created is tried again with the next publish', async () => {
  const { pool, state } = createPool()
  const channel = createChannel<number>(postgresChannel({ pool }))
  state.mode = 'down'
  await expect(channel.publish('a', 1)).rejects.toThrow('Publishing to "a" failed: down')
  state.mode = 'up'
  await channel.publish('a', 1)
})

test.each([
  ['nothing', ''],
  ['a word', 'hello'],
  ['no topic', '1-1 0 '],
  ['half a topic', '1-1 3 "a'],
  ['no id', 'x 3 "a"7'],
])('CH1: a notification of somebody else, with %s, is ignored', async (_, payload) => {
  const { channel, next, state } = await follow()
  // An error here would be one of the client's socket, and end the process
  expect(() => state.clients[0]!.emit('notification', { payload })).not.toThrow()
  state.clients[0]!.emit('notification', { payload: '1-1 3 "a"7' })
  expect(await next).toMatchObject({ value: { id: '1-1', event: 7 } })
  await channel.close()
})
