import type { ConsumerMessages, JetStreamClient, JetStreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import type { ChannelBackend, StoredMessage } from '../internal/channel/backend.ts'
import { NOTHING } from '../internal/channel/message-id.ts'
import { checkNames, checkOption, checkWhole } from '../internal/options.ts'

/** What is asked of a connection. Its own type would bring the declarations of its package into every program. */
interface Connection {
  request(subject: string, payload?: any, options?: any): Promise<unknown> // any: the types of the package
}

/** Options of {@link natsChannel}. */
export interface NatsChannelOptions {
  /** An open connection: `await connect({ servers })` of `@nats-io/transport-node`. It stays yours to close. */
  readonly connection: Connection
  /** Name of the JetStream stream, and first part of its subjects. It is made if it is not there. @default 'sluice' */
  readonly stream?: string
  /** Events that are kept for each topic. @default 1000 */
  readonly keep?: number
  /** After how long an event is dropped, in milliseconds. @default 86400000 */
  readonly retentionMs?: number
}

/** The client, the manager and the stream, ready for use. */
interface Ready {
  readonly js: JetStreamClient
  readonly jsm: JetStreamManager
  /** When the stream was made, in milliseconds since 1970. */
  readonly epoch: number
}

/**
 * Pass events on through NATS JetStream, for all processes together. Needs the package `@nats-io/jetstream`.
 *
 * Numbers of a topic have holes here, since all topics share one stream. So a gap is told to who comes back after more
 * than `keep` events, and not to a process that itself falls so far behind.
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
  /** Whether events behind one that is gone may be gone, too. */
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
      // With the one that was seen, which is the oldest of them: if it is still there, all behind it are
      const found = await replay(js, jsm, { stream, subject, from: Math.max(seen, 1), most: limit + 1 })
      const whole = found[0]?.seq === seen
      if (whole || found.length > limit) found.splice(whole ? 0 : limit, 1)
      const newest = found.at(-1)?.seq ?? 0
      // A server that is behind the one that leads would hide what came last
      if (newest < last && found.length < limit) throw new Error(`Events up to ${newest} came, of ${last}`)
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

/** A message as the stream has it. */
interface Replayed {
  readonly seq: number
  readonly text: string
}

/** How long a consumer stays that nobody could delete, and how long a server may take to fill a request: nanoseconds, milliseconds. */
const INACTIVE_NS = 10_000_000_000
const EXPIRES_MS = 30_000

/**
 * The messages of a subject from a number on, at most so many: by a consumer of their own, since servers before 2.11 give a
 * single message to a request.
 *
 * @throws {Error} if fewer came than the server has
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
      // The oldest may go meanwhile: then there are fewer than were counted
      if (found.length === count || message.info.pending === 0) return found
    }
    throw new Error(`Of ${count} messages ${found.length} came`)
  } finally {
    jsm.consumers.delete(stream, info.name).catch(() => {})
  }
}

/** A topic as one token of a subject: without dots, blanks and wildcards. */
const tokenOf = (topic: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(topic)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
