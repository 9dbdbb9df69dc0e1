import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { NOTHING } from './message-id.ts'

/** The client, the manager and the stream, ready for use. */
export interface StreamConnection {
  readonly js: JetStreamClient
  readonly jsm: JetStreamManager
  /** Time at which the stream was created, in milliseconds since 1970. */
  readonly epoch: number
}

/** A stream that may be deleted, and created again, at any time. */
export interface Stream {
  /** The stream as it was last seen. */
  known(): Promise<StreamConnection>
  /** The stream as it is now. It is created if it does not exist. */
  current(): Promise<StreamConnection>
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
  let clients: Promise<Omit<StreamConnection, 'epoch'>> | undefined
  let latest: StreamConnection | undefined
  let asking: Promise<StreamConnection> | undefined

  const connect = async () => {
    const { jetstream, jetstreamManager } = await import('@nats-io/jetstream').catch((cause) => {
      throw new Error('natsChannel needs the package @nats-io/jetstream: npm install @nats-io/jetstream', { cause })
    })
    return { js: jetstream(connection), jsm: await jetstreamManager(connection) }
  }
  const ask = async (): Promise<StreamConnection> => {
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
    latest = { js, jsm, epoch: Date.parse(`${created}`) }
    return latest
  }
  const current = (): Promise<StreamConnection> => {
    asking ??= ask().finally(() => {
      asking = undefined
    })
    return asking
  }
  return { current, known: async () => latest ?? current() }
}

/** Number of the newest event of a topic, 0 if there is none. */
export const lastOf = async ({ jsm }: StreamConnection, stream: string, subject: string): Promise<number> =>
  (await jsm.streams.getMessage(stream, { last_by_subj: subject }))?.seq ?? 0

export const toId = (epoch: number, number: number): string => (number ? `${epoch}-${number}` : NOTHING)
