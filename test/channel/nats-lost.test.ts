import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { natsChannel } from '../../src/channel/nats.ts'
import { createChannel } from '../../src/channel.ts'
import { freePort } from '../free-port.mjs'
import { describeService } from '../services.ts'
import { eventsOf, take } from './contract.ts'

/** The server refuses an event while it still deletes the files of the stream before. */
const renewed = (publish: () => Promise<string>): Promise<string> => vi.waitFor(publish, { timeout: 10_000 })

const canStart = process.env.SLUICE_REQUIRE_SERVICES === '1' || !spawnSync('nats-server', ['--version']).error

describeService('nats', 'a stream of NATS that is lost while processes use it', () => {
  const root = mkdtempSync(join(tmpdir(), 'sluice-nats-lost-'))
  let port = 0
  let server: ChildProcess
  let folders = 0
  const start = (withData: boolean): void => {
    if (!withData) folders++
    const folder = join(root, `${folders}`)
    server = spawn('nats-server', ['-a', '127.0.0.1', '-p', `${port}`, '-js', '-sd', folder], { stdio: 'ignore' })
  }
  const kill = async (): Promise<void> => {
    const gone = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGKILL')
    await gone
  }
  const connections: NatsConnection[] = []
  /** A stream for each test: the server deletes the files of one a moment later. */
  let stream = 'live0'
  /** A process of its own, as far as the server can tell. */
  const open = async () => {
    const servers = `nats://127.0.0.1:${port}`
    const retry = { reconnectTimeWait: 20, maxReconnectAttempts: -1 }
    const connection = await vi.waitFor(() => connect({ servers, ...retry }), { timeout: 10_000 })
    connections.push(connection)
    const backend = natsChannel({ connection, stream, keep: 1000 })
    const jsm = await vi.waitFor(() => jetstreamManager(connection), { timeout: 10_000 })
    return { backend, channel: createChannel<number>(backend), jsm }
  }
  /** A subscription that has got the first event. */
  const listening = async () => {
    const { channel } = await open()
    const subscription = channel.subscribe('a')
    await subscription.ready
    await channel.publish('a', 1)
    expect(eventsOf(await take(subscription, 1))).toEqual([1])
    return { channel, subscription }
  }
  beforeAll(async () => {
    if (!canStart) return
    port = await freePort()
    start(false)
  })
  afterEach(async () => {
    stream = `live${Number(stream.slice(4)) + 1}`
    await Promise.all(connections.splice(0).map((each) => each.close()))
  })
  afterAll(async () => {
    if (canStart) await kill()
    rmSync(root, { recursive: true, force: true })
  })

  test.runIf(canStart)('CH1: a publish creates it again, and its id is newer', async () => {
    const { channel, jsm } = await open()
    const before = await channel.publish('a', 1)
    await jsm.streams.delete(stream)
    const after = await renewed(() => channel.publish('a', 2))
    expect(Number(after.split('-')[0])).toBeGreaterThan(Number(before.split('-')[0]))
    expect((await jsm.streams.info(stream)).config.max_msgs_per_subject).toBe(1000)
    const kept = await take(channel.subscribe('a', { after: before }), 1)
    expect(kept).toMatchObject([{ id: after, event: 2, gap: true }])
  })

  test.runIf(canStart)(
    'CH3: who listens goes on with the new one, and the first event says that some are lost',
    async () => {
      const { channel, jsm } = await open()
      const { channel: other } = await open()
      const subscription = channel.subscribe('a')
      await subscription.ready
      for (const n of [1, 2, 3]) await other.publish('a', n)
      expect(eventsOf(await take(subscription, 3))).toEqual([1, 2, 3])
      await jsm.streams.delete(stream)
      const ids = [await renewed(() => other.publish('a', 4)), await other.publish('a', 5)]
      const seen = await take(subscription, 2)
      expect(seen.map(({ event, gap }) => ({ event, gap }))).toEqual([
        { event: 4, gap: true },
        { event: 5, gap: false },
      ])
      expect(seen.map(({ id }) => id)).toEqual(ids)
      await other.publish('a', 6)
      expect(await take(subscription, 1)).toMatchObject([{ event: 6, gap: false }])
      await subscription.return()
    },
  )

  test.runIf(canStart)('CH3: a process that has not noticed the loss replays the new one as a whole', async () => {
    const { backend, jsm } = await open()
    const { backend: other } = await open()
    const ids: string[] = []
    for (const n of [1, 2, 3]) ids.push(await backend.publish('a', `${n}`))
    await jsm.streams.delete(stream)
    ids.push(await renewed(async () => other.publish('a', '4')))
    for (const n of [5, 6, 7]) ids.push(await other.publish('a', `${n}`))
    const { messages, last } = await backend.read('a', ids[1]!, 10)
    expect(messages).toEqual([
      { id: ids[3], text: '4', gap: true },
      { id: ids[4], text: '5' },
      { id: ids[5], text: '6' },
      { id: ids[6], text: '7' },
    ])
    expect(last).toBe(ids[6])
    expect((await backend.listen('a', { next() {}, fail() {} })).from).toBe(ids[6])
  })

  test.runIf(canStart)('CH3: a server that comes back without its data does not end a subscription', async () => {
    const { channel, subscription } = await listening()
    await kill()
    start(false)
    await vi.waitFor(() => channel.publish('a', 2), { timeout: 10_000 })
    // A publish that failed may have come
    const [first] = await take(subscription, 1)
    expect(first).toMatchObject({ event: 2, gap: true })
    await subscription.return()
  })

  test.runIf(canStart)('CH3: a server that comes back with its data loses and repeats nothing', async () => {
    const { channel, subscription } = await listening()
    await kill()
    start(true)
    await vi.waitFor(() => channel.publish('a', 2), { timeout: 10_000 })
    await channel.publish('a', 3)
    const seen: number[] = []
    while (seen.at(-1) !== 3) {
      const [message] = await take(subscription, 1)
      expect(message!.gap).toBe(false)
      seen.push(message!.event)
    }
    expect(seen.filter((event) => event === 1)).toEqual([])
    await subscription.return()
  })
})
