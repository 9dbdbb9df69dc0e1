import type { ConsumerMessages, JetStreamClient, JetStreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import type { ChannelBackend, StoredMessage } from '../internal/channel/backend.ts'
import { NOTHING } from '../internal/channel/message-id.ts'
import { checkNames, checkOption, checkWhole } from '../internal/options.ts'

/** The part of a connection that is used. Its own type would load the declarations of its package in every program. */
interface Connection {
  request(subject: string, payload?: unknown, options?: unknown): Promise<unknown>
}

/** Options of {@link natsChannel}. */
export interface NatsChannelOptions {
  /** An open connection: `await connect({ servers })` of `@nats-io/transport-node`. The caller closes it. */
  readonly connection: Connection
  /** Name of the JetStream stream, and first part of its subjects. Created if it does not exist. @default 'sluice' */
  readonly stream?: string
  /** Events that are kept for each topic. @default 1000 */
  readonly keep?: number
  /** How long an event is kept, in milliseconds. @default 86400000 */
  readonly retentionMs?: number
}

/** The client, the manager and the stream, ready for use. */
interface Ready {
  readonly js: JetStreamClient
  readonly jsm: JetStreamManager
  /** When the stream was created, in milliseconds since 1970. */
  readonly epoch: number
}

/**
 * Send events to all processes through NATS JetStream. Needs the package `@nats-io/jetstream`.
 *
 * All topics share one stream, so the ids of a topic are not consecutive, and a gap between two live events cannot be
 * seen. `gap` is set for a client that reconnects after more than `keep` events, but not when the process itself has
 * missed so many.
 *
 * @throws {TypeError} for a bad option.
 * @example
 * const channel = createChannel<Order>(natsChannel({ connection: await connect({ servers }) }))
 */
export const natsChannel = (options: NatsChannelOptions): ChannelBackend => {
  checkNames('natsChannel', options, 'connection stream:string keep retentionMs')
  const { connection, stream = 'sluice', keep = 1000, retentionMs = 86_400_000 } = options
  checkOption(
    typeof connection?.request === 'function',
    'natsChannel: connection',
    'an open connection',
    typeof connection,
  )
  checkOption(/^[\w-]{1,64}$/.test(stream), 'natsChannel: stream', 'a name of letters, digits, "-" and "_"', stream)
  checkWhole(keep, 'natsChannel: keep', 'events', 1)
  checkWhole(retentionMs, 'natsChannel: retentionMs', 'milliseconds', 1)
  const subjectOf = (topic: string): string => `${stream}.${tokenOf(topic)}`
  const open = new Set<ConsumerMessages>()
  let opened: Promise<Ready> | undefined

  const prepare = async (): Promise<Ready> => {
    const { jetstream, jetstreamManager } = await import('@nats-io/jetstream').catch((cause) => {
      throw new Error('natsChannel needs the package @nats-io/jetstream: npm install @nats-io/jetstream', { cause })
    })
    const jsm = await jetstreamManager(connection as NatsConnection)
    const subjects = [`${stream}.>`]
    const limits = { max_msgs_per_subject: keep, max_age: retentionMs * 1_000_000 }
    const info = await jsm.streams.info(stream).catch(() => jsm.streams.add({ name: stream, subjects, ...limits }))
    return { js: jetstream(connection as NatsConnection), jsm, epoch: Date.parse(`${info.created}`) }
  }
  const ready = (): Promise<Ready> => {
    opened ??= prepare().catch((error) => {
      opened = undefined
      throw error
    })
    return opened
  }
  /** Number of the newest event of a topic, 0 if there is none. */
  const lastOf = async ({ jsm }: Ready, subject: string): Promise<number> =>
    (await jsm.streams.getMessage(stream, { last_by_subj: subject }))?.seq ?? 0
  /** True if events after the last seen one may have been deleted. */
  const hasGap = async ({ jsm }: Ready, subject: string, seen: number): Promise<boolean> => {
    const { state } = await jsm.streams.info(stream, { subjects_filter: subject })
    return (state.subjects?.[subject] ?? 0) >= keep || (seen !== 0 && seen < state.first_seq)
  }
  const toId = (epoch: number, number: number): string => (number ? `${epoch}-${number}` : NOTHING)

  return {
    async publish(topic, text) {
      const { js, epoch } = await ready()
      return `${epoch}-${(await js.publish(subjectOf(topic), text)).seq}`
    },
    async read(topic, after, limit) {
      const known = await ready()
      const { js, jsm, epoch } = known
      const subject = subjectOf(topic)
      const [era = 0, number = 0] = after.split('-').map(Number)
      const seen = era === epoch ? number : 0
      const last = await lastOf(known, subject)
      if (last <= seen) return { messages: [], last: toId(epoch, last) }
      // Read from the last seen event on: events are deleted oldest first, so if it still exists, so do all later ones
      const found = await replay(js, jsm, { stream, subject, from: Math.max(seen, 1), most: limit + 1 })
      const whole = found[0]?.seq === seen
      if (whole || found.length > limit) found.splice(whole ? 0 : limit, 1)
      const newest = found.at(-1)?.seq ?? 0
      // A follower that lags behind the leader of the cluster would hide the newest events
      if (newest < last && found.length < limit)
        throw new Error(`Read the events up to ${newest}, but the newest is ${last}`)
      const messages = found.map(({ seq, text }): StoredMessage => ({ id: `${epoch}-${seq}`, text }))
      const [first] = messages
      const lost = !whole && ((after !== NOTHING && era !== epoch) || (await hasGap(known, subject, seen)))
      if (first && lost) messages[0] = { ...first, gap: true }
      return { messages, last: toId(epoch, Math.max(last, newest)) }
    },
    async listen(topic, listener) {
      const known = await ready()
      const subject = subjectOf(topic)
      const last = await lastOf(known, subject)
      const consumer = await known.js.consumers.get(stream, {
        filter_subjects: subject,
        opt_start_seq: last + 1,
      })
      const messages = await consumer.consume({
        callback: (message) => listener.next({ id: `${known.epoch}-${message.seq}`, text: message.string() }),
      })
      open.add(messages)
      let stopped = false
      messages.closed().then((error) => {
        open.delete(messages)
        // The server would keep it for minutes. A connection that was closed cannot ask for this
        consumer.delete().catch(() => {})
        if (!stopped) listener.fail(error instanceof Error ? error : new Error('The consumer was closed'))
      })
      const stop = (): void => {
        stopped = true
        messages.stop()
      }
      return { from: toId(known.epoch, last), stop }
    },
    close() {
      for (const messages of open) messages.stop()
    },
  }
}

/** A message of the stream. */
interface Replayed {
  readonly seq: number
  readonly text: string
}

/** After how long the server deletes a consumer that this process could not delete, in nanoseconds. */
const INACTIVE_NS = 10_000_000_000

/** How long the server may take to send the messages, in milliseconds. */
const EXPIRES_MS = 30_000

/**
 * At most `most` messages of a subject, beginning with the number `from`. They are read with a temporary consumer,
 * because servers before 2.11 send only one message per direct request.
 *
 * @throws {Error} if the server sends fewer messages than it has
 */
const replay = async (
  js: JetStreamClient,
  jsm: JetStreamManager,
  { stream, subject, from, most }: { stream: string; subject: string; from: number; most: number },
): Promise<Replayed[]> => {
  const info = await jsm.consumers.add(stream, {
    filter_subject: subject,
    deliver_policy: 'by_start_sequence',
    opt_start_seq: from,
    ack_policy: 'none',
    inactive_threshold: INACTIVE_NS,
    mem_storage: true,
    num_replicas: 1,
  })
  try {
    const found: Replayed[] = []
    const count = Math.min(most, info.num_pending)
    if (!count) return found
    const messages = await js.consumers.getConsumerFromInfo(info).fetch({ max_messages: count, expires: EXPIRES_MS })
    for await (const message of messages) {
      found.push({ seq: message.seq, text: message.string() })
      // The oldest may be deleted meanwhile: then there are fewer than were counted
      if (found.length === count || message.info.pending === 0) return found
    }
    throw new Error(`Received ${found.length} of ${count} messages`)
  } finally {
    jsm.consumers.delete(stream, info.name).catch(() => {})
  }
}

/** A topic as one token of a subject, which must not contain dots, spaces or wildcards. */
const tokenOf = (topic: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(topic)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
