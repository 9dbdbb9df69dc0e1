import { randomUUID } from 'node:crypto'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { natsChannel } from '../../src/channel/nats.ts'
import { createChannel } from '../../src/channel.ts'
import { describeService } from '../services.ts'
import { channelContract, eventsOf, take } from './contract.ts'

describeService('nats', 'natsChannel', (servers) => {
  const streams = new Set<string>()
  const connections: NatsConnection[] = []
  const made = randomUUID()
  const open = async (keep: number, stream = `live-${made}-${keep}`) => {
    const connection = await connect({ servers })
    connections.push(connection)
    streams.add(stream)
    return natsChannel({ connection, stream, keep })
  }
  afterAll(async () => {
    const jsm = await jetstreamManager(connections[0]!)
    for (const stream of streams) await jsm.streams.delete(stream)
    await Promise.all(connections.map((each) => each.close()))
  })

  describe('as a backend', () => channelContract({ open, shared: true }))

  test('CH3: a replay takes a few requests for any number of events, and deletes its consumer', async () => {
    const stream = `live-${made}-replay`
    const backend = await open(1000, stream)
    const connection = connections.at(-1)!
    const ids: string[] = []
    for (let n = 1; n <= 600; n++) ids.push(await backend.publish('a', `${n}`))
    const jsm = await jetstreamManager(connection)
    const asked = vi.spyOn(connection, 'request')
    const { messages, last } = await backend.read('a', ids[9]!, 500)
    expect(messages).toEqual(ids.slice(10, 510).map((id, at) => ({ id, text: `${at + 11}` })))
    expect(last).toBe(ids.at(-1))
    expect(asked.mock.calls.length).toBeLessThan(10)
    asked.mockRestore()
    expect((await backend.read('a', ids[509]!, 500)).messages.map(({ text }) => Number(text))).toEqual(
      Array.from({ length: 90 }, (_, at) => at + 511),
    )
    expect(await backend.read('a', ids.at(-1)!, 500)).toEqual({ messages: [], last: ids.at(-1) })
    await vi.waitFor(async () => expect((await jsm.streams.info(stream)).state.consumer_count).toBe(0))
  })

  test('CH2: the stream keeps `keep` events of a topic, for retentionMs', async () => {
    const stream = `live-${made}-limits`
    const connection = await connect({ servers })
    connections.push(connection)
    streams.add(stream)
    const backend = natsChannel({ connection, stream, keep: 7, retentionMs: 60_000 })
    await backend.publish('a', '1')
    const { config } = await (await jetstreamManager(connection)).streams.info(stream)
    expect({ max_msgs_per_subject: config.max_msgs_per_subject, max_age: config.max_age }).toEqual({
      max_msgs_per_subject: 7,
      max_age: 60_000_000_000,
    })
  })

  test('CH1: an event that the server or the stream does not take is too large', async () => {
    const stream = `live-${made}-large`
    const channel = createChannel<string>(await open(5, stream), { maxEventBytes: 1e9 })
    await channel.publish('a', 'small')
    const { info } = connections.at(-1)!
    const most = info!.max_payload
    const refused = (bytes: number, why: string) =>
      expect(channel.publish('a', 'x'.repeat(bytes - 2))).rejects.toMatchObject({
        code: 'too_large',
        message: `NATS has refused the event: ${why}`,
      })
    await channel.publish('a', 'x'.repeat(most - 2))
    for (const bytes of [most + 1, most + 100, most * 2]) await refused(bytes, "'payload' max_payload size exceeded")
    await expect(channel.publish('a', 'ü'.repeat(most / 2))).rejects.toMatchObject({ code: 'too_large' })
    const jsm = await jetstreamManager(connections.at(-1)!)
    await jsm.streams.update(stream, { max_msg_size: 100 })
    await channel.publish('a', 'x'.repeat(98))
    await refused(101, 'message size exceeds maximum allowed')
    // None of them says that the backend is away
    expect(await channel.publish('a', 'small')).toMatch(/^\d+-\d+$/)
    await channel.close()
  })

  test('CH1: a server without JetStream at first is asked again', async () => {
    const backend = await open(5)
    const request = vi.spyOn(connections.at(-1)!, 'request').mockRejectedValueOnce(new Error('not yet'))
    await expect(backend.publish('a', '1')).rejects.toThrow('not yet')
    expect(await backend.publish('a', '1')).toMatch(/^\d+-\d+$/)
    request.mockRestore()
  })

  test('CH3: events that were deleted before `keep` was reached, and a stream that was lost, are gaps', async () => {
    const stream = `live-${made}-lost`
    const backend = await open(1000, stream)
    const jsm = await jetstreamManager(connections.at(-1)!)
    const ids: string[] = []
    for (let n = 1; n <= 6; n++) ids.push(await backend.publish('a', `${n}`))
    expect((await backend.read('a', ids[0]!, 10)).messages[0]).toEqual({ id: ids[1], text: '2' })
    await jsm.streams.purge(stream, { seq: 4 })
    expect((await backend.read('a', ids[0]!, 10)).messages).toEqual([
      { id: ids[3], text: '4', gap: true },
      { id: ids[4], text: '5' },
      { id: ids[5], text: '6' },
    ])
    await jsm.streams.delete(stream)
    const later = await open(1000, stream)
    const id = await later.publish('a', '7')
    expect((await later.read('a', ids[0]!, 10)).messages).toEqual([{ id, text: '7', gap: true }])
  })

  test('CH1: who leaves, and a backend that closes, deletes its consumer', async () => {
    const stream = `live-${made}-leave`
    const backend = await open(10, stream)
    const jsm = await jetstreamManager(connections.at(-1)!)
    const fail = vi.fn()
    const listening = await backend.listen('a', { next() {}, fail })
    await backend.listen('b', { next() {}, fail })
    const consumers = async (): Promise<number> => (await jsm.streams.info(stream)).state.consumer_count
    expect(await consumers()).toBe(2)
    listening.stop()
    await vi.waitFor(async () => expect(await consumers()).toBe(1))
    await backend.close?.()
    await vi.waitFor(async () => expect(await consumers()).toBe(0))
    expect(fail.mock.calls.length).toBeLessThanOrEqual(1)
  })

  test('CH1: a connection that is closed ends subscriptions with an error that says so', async () => {
    const channel = createChannel<number>(await open(30))
    const subscription = channel.subscribe('a')
    await subscription.ready
    await channel.publish('a', 1)
    expect(eventsOf(await take(subscription, 1))).toEqual([1])
    const next = subscription.next()
    await connections.at(-1)!.close()
    await expect(next).rejects.toMatchObject({ code: 'backend' })
    await expect(channel.publish('a', 2)).rejects.toMatchObject({ code: 'backend' })
  })
})

describe('natsChannel', () => {
  test.each([
    [{}, 'natsChannel: connection: expected an open connection, got undefined'],
    [{ connection: { request() {} }, stream: 'a.b' }, 'natsChannel: stream: expected a name of letters'],
    [{ connection: { request() {} }, keep: 0 }, 'natsChannel: keep: expected a whole number of events from 1, got 0'],
  ])('CH2: the options %j are refused', (options, message) => {
    expect(() => natsChannel(options as never)).toThrow(message)
  })
})
