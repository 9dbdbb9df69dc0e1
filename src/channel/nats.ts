import type { ConsumerMessages } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { type ChannelBackend, NOTHING, type StoredMessage } from '../internal/channel/backend.ts'
import { ChannelError } from '../internal/channel/channel-error.ts'
import { followSubject } from '../internal/channel/nats-follow.ts'
import { createStream, lastOf, type OpenStream, readStored, toId } from '../internal/channel/nats-stream.ts'
import { toBase64url } from '../internal/crypto/encoding.ts'
import { checkNames, checkOption, checkWhole } from '../internal/options/check.ts'

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

/**
 * Send events to all processes through NATS JetStream. Needs the package `@nats-io/jetstream`.
 *
 * All topics share one stream, so the ids of a topic are not consecutive: `gap` is set for a client that reconnects
 * after more than `keep` events, but not if the process itself missed so many. The next publish or subscriber creates a
 * deleted stream again; subscriptions continue with it, and the first event has `gap`.
 *
 * @throws {TypeError} for a bad option.
 * @example
 * const channel = createChannel<Order>(natsChannel({ connection: await connect({ servers }) }))
 */
export const natsChannel = (options: NatsChannelOptions): ChannelBackend => {
  checkNames('natsChannel', options, 'connection stream:string keep retentionMs')
  const { connection, stream = 'sluice', keep = 1000, retentionMs = 86_400_000 } = options
  const isConnection = typeof connection?.request === 'function'
  checkOption(isConnection, 'natsChannel: connection', 'an open connection', typeof connection)
  checkOption(/^[\w-]{1,64}$/.test(stream), 'natsChannel: stream', 'a name of letters, digits, "-" and "_"', stream)
  checkWhole(keep, 'natsChannel: keep', 'events', 1)
  checkWhole(retentionMs, 'natsChannel: retentionMs', 'milliseconds', 1)
  // A part of a subject must not contain dots, spaces or wildcards
  const subjectOf = (topic: string): string => `${stream}.${toBase64url(new TextEncoder().encode(topic))}`
  const backingStream = createStream(connection as NatsConnection, stream, keep, retentionMs)
  const consumers = new Set<ConsumerMessages>()
  /** True if events after the last seen one may have been deleted. */
  const hasGap = async ({ jsm }: OpenStream, subject: string, seen: number): Promise<boolean> => {
    const { state } = await jsm.streams.info(stream, { subjects_filter: subject })
    return (state.subjects?.[subject] ?? 0) >= keep || (seen !== 0 && seen < state.first_seq)
  }
  /** Number of the newest event that this process has published. */
  let lastPublished = 0
  const send = async (subject: string, text: string, { js, epoch }: OpenStream): Promise<string> => {
    const { seq } = await js.publish(subject, text).catch(throwTooLarge)
    // Numbers only grow, unless another process has created the stream again
    const currentEpoch = seq > lastPublished ? epoch : (await backingStream.current()).epoch
    lastPublished = seq
    return `${currentEpoch}-${seq}`
  }

  return {
    async publish(topic, text) {
      const subject = subjectOf(topic)
      try {
        return await send(subject, text, await backingStream.cached())
      } catch (error) {
        // No stream takes the subject, so nothing was stored
        if ((error as Error).name !== 'JetStreamNotEnabled') throw error // Error: the client throws nothing else
        return send(subject, text, await backingStream.current())
      }
    },
    async read(topic, after, limit) {
      const current = await backingStream.current()
      const { epoch } = current
      const subject = subjectOf(topic)
      const [seenEpoch = 0, number = 0] = after.split('-').map(Number)
      const seen = seenEpoch === epoch ? number : 0
      const last = await lastOf(current, subject)
      if (last <= seen) return { messages: [], last: toId(epoch, last) }
      // Read from the last seen event on: events are deleted oldest first, so if it still exists, so do all later ones
      const stored = await readStored(current, subject, Math.max(seen, 1), limit + 1)
      const isComplete = stored[0]?.seq === seen
      if (isComplete || stored.length > limit) stored.splice(isComplete ? 0 : limit, 1)
      const newest = stored.at(-1)?.seq ?? 0
      // A follower that lags behind the leader of the cluster would hide the newest events
      if (newest < last && stored.length < limit)
        throw new Error(`Read the events up to ${newest}, but the newest is ${last}`)
      const messages = stored.map(({ seq, text }): StoredMessage => ({ id: `${epoch}-${seq}`, text }))
      const [first] = messages
      const isGap =
        !isComplete && ((after !== NOTHING && seenEpoch !== epoch) || (await hasGap(current, subject, seen)))
      if (first && isGap) messages[0] = { ...first, gap: true }
      return { messages, last: toId(epoch, Math.max(last, newest)) }
    },
    listen: (topic, listener) => followSubject(backingStream, subjectOf(topic), listener, consumers),
    close() {
      for (const messages of consumers) messages.stop()
    },
  }
}

/** Code of the server for an event that is larger than `max_msg_size` of the stream. */
const TOO_LARGE = 10_054

/** The client itself refuses events that are larger than `max_payload` of the server. */
const throwTooLarge = (error: Error & { readonly code?: unknown }): never => {
  const isLarge = error.code === TOO_LARGE || error.message.includes('max_payload')
  throw isLarge ? new ChannelError('too_large', `NATS has refused the event: ${error.message}`, error) : error
}
