import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { NOTHING } from './message-id.ts'

/** The client, the manager and the stream, ready for use. */
export interface OpenStream {
  readonly js: JetStreamClient
  readonly jsm: JetStreamManager
  /** When the stream was created, in milliseconds since 1970. */
  readonly epoch: number
}

/** A stream that may be deleted, and created again, at any time. */
export interface Stream {
  /** The stream as it was last seen. */
  cached(): Promise<OpenStream>
  /** The stream as it is now. It is created if it does not exist. */
  current(): Promise<OpenStream>
}

interface StreamOptions {
  readonly connection: NatsConnection
  readonly name: string
  readonly keep: number
  readonly retentionMs: number
}

/** Code of the server for a stream that does not exist. */
const STREAM_NOT_FOUND = 10_059

export const createStream = ({ connection, name, keep, retentionMs }: StreamOptions): Stream => {
  let clients: Promise<Omit<OpenStream, 'epoch'>> | undefined
  let lastSeen: OpenStream | undefined
  let pending: Promise<OpenStream> | undefined

  const connect = async () => {
    const { jetstream, jetstreamManager } = await import('@nats-io/jetstream').catch((cause) => {
      throw new Error('natsChannel needs the package @nats-io/jetstream: npm install @nats-io/jetstream', { cause })
    })
    return { js: jetstream(connection), jsm: await jetstreamManager(connection) }
  }
  const load = async (): Promise<OpenStream> => {
    clients ??= connect().catch((error) => {
      clients = undefined
      throw error
    })
    const { js, jsm } = await clients
    const limits = { max_msgs_per_subject: keep, max_age: retentionMs * 1_000_000 }
    const { created } = await jsm.streams.info(name).catch((error) => {
      if (error.code !== STREAM_NOT_FOUND) throw error
      return jsm.streams.add({ name, subjects: [`${name}.>`], ...limits })
    })
    lastSeen = { js, jsm, epoch: Date.parse(`${created}`) }
    return lastSeen
  }
  const current = (): Promise<OpenStream> => {
    pending ??= load().finally(() => {
      pending = undefined
    })
    return pending
  }
  return { current, cached: async () => lastSeen ?? current() }
}

/** Number of the newest event of a topic, 0 if there is none. */
export const lastOf = async ({ jsm }: OpenStream, stream: string, subject: string): Promise<number> =>
  (await jsm.streams.getMessage(stream, { last_by_subj: subject }))?.seq ?? 0

export const toId = (epoch: number, number: number): string => (number ? `${epoch}-${number}` : NOTHING)
