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
