import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { NOTHING } from './backend.ts'

/** The client, the manager and the stream, ready for use. */
export interface OpenStream {
  readonly js: JetStreamClient
  readonly jsm: JetStreamManager
  readonly name: string
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

interface StreamMessage {
  readonly seq: number
  readonly text: string
}

/** Code of the server for a stream that does not exist. */
const STREAM_NOT_FOUND = 10_059

/** After how long the server deletes a consumer that this process could not delete, in nanoseconds. */
const INACTIVE_NS = 10_000_000_000

/** How long the server may take to send the messages, in milliseconds. */
const EXPIRES_MS = 30_000

export const createStream = (connection: NatsConnection, name: string, keep: number, retentionMs: number): Stream => {
  let clients: Pick<OpenStream, 'js' | 'jsm'> | undefined
  let lastSeen: OpenStream | undefined
  let pending: Promise<OpenStream> | undefined

  const connect = async () => {
    const { jetstream, jetstreamManager } = await import('@nats-io/jetstream').catch((cause) => {
      throw new Error('natsChannel needs the package @nats-io/jetstream: npm install @nats-io/jetstream', { cause })
    })
    return { js: jetstream(connection), jsm: await jetstreamManager(connection) }
  }
  const load = async (): Promise<OpenStream> => {
    clients ??= await connect()
    const { js, jsm } = clients
    const { created } = await jsm.streams.info(name).catch(async (error) => {
      if (error.code !== STREAM_NOT_FOUND) throw error
      const limits = { max_msgs_per_subject: keep, max_age: retentionMs * 1_000_000 }
      await jsm.streams.add({ name, subjects: [`${name}.>`], ...limits })
      // If two processes add the stream, one reply may have the time 0
      return jsm.streams.info(name)
    })
    lastSeen = { js, jsm, name, epoch: Date.parse(`${created}`) }
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
export const lastOf = async ({ jsm, name }: OpenStream, subject: string): Promise<number> =>
  (await jsm.streams.getMessage(name, { last_by_subj: subject }))?.seq ?? 0

export const toId = (epoch: number, number: number): string => (number ? `${epoch}-${number}` : NOTHING)

/**
 * At most `max` messages of a subject, beginning with the number `from`. They are read with a temporary consumer,
 * because servers before 2.11 send only one message per direct request.
 */
export const readStored = async (
  { js, jsm, name }: OpenStream,
  subject: string,
  from: number,
  max: number,
): Promise<StreamMessage[]> => {
  const info = await jsm.consumers.add(name, {
    filter_subject: subject,
    deliver_policy: 'by_start_sequence',
    opt_start_seq: from,
    ack_policy: 'none',
    inactive_threshold: INACTIVE_NS,
    mem_storage: true,
    num_replicas: 1,
  })
  try {
    const stored: StreamMessage[] = []
    const count = Math.min(max, info.num_pending)
    if (!count) return stored
    const messages = await js.consumers.getConsumerFromInfo(info).fetch({ max_messages: count, expires: EXPIRES_MS })
    for await (const message of messages) {
      stored.push({ seq: message.seq, text: message.string() })
      // The oldest may be deleted meanwhile: then there are fewer than were counted
      if (stored.length === count || message.info.pending === 0) return stored
    }
    throw new Error(`Received ${stored.length} of ${count} messages`)
  } finally {
    jsm.consumers.delete(name, info.name).catch(() => {})
  }
}
