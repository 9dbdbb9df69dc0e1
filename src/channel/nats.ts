import type { ConsumerMessages } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import type { ChannelBackend, StoredMessage } from '../internal/channel/backend.ts'
import { ChannelError } from '../internal/channel/channel-error.ts'
import { NOTHING } from '../internal/channel/message-id.ts'
import { followSubject } from '../internal/channel/nats-follow.ts'
import { replayMessages } from '../internal/channel/nats-replay.ts'
import { createStream, lastOf, type StreamConnection, toId } from '../internal/channel/nats-stream.ts'
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
 * All topics share one stream, so the ids of a topic are not consecutive, and a gap between two live events cannot be
 * seen. `gap` is set for a client that reconnects after more than `keep` events, but not when the process itself has
 * missed so many. A stream that is deleted is created again by the next publish or subscriber; subscriptions continue
 * with it, and the first event has `gap`.
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
  const backing = createStream({ connection: connection as NatsConnection, name: stream, keep, retentionMs })
  const open = new Set<ConsumerMessages>()
  /** True if events after the last seen one may have been deleted. */
  const hasGap = async ({ jsm }: StreamConnection, subject: string, lastNumber: number): Promise<boolean> => {
    const { state } = await jsm.streams.info(stream, { subjects_filter: subject })
    return (state.subjects?.[subject] ?? 0) >= keep || (lastNumber !== 0 && lastNumber < state.first_seq)
  }
  /** Number of the newest event that this process has published. */
  let newest = 0
  const send = async (subject: string, text: string, { js, epoch }: StreamConnection): Promise<string> => {
    const { seq } = await js.publish(subject, text).catch(throwTooLarge)
    // Numbers only grow, unless another process has created the stream again
    const now = seq > newest ? epoch : (await backing.current()).epoch
    newest = seq
    return `${now}-${seq}`
  }

  return {
    async publish(topic, text) {
      const subject = subjectOf(topic)
      try {
        return await send(subject, text, await backing.known())
      } catch (error) {
        // No stream takes the subject, so nothing was stored
        if ((error as Error).name !== 'JetStreamNotEnabled') throw error // Error: the client throws nothing else
        return send(subject, text, await backing.current())
      }
    },
    async read(topic, after, limit) {
      const current = await backing.current()
      const { js, jsm, epoch } = current
      const subject = subjectOf(topic)
      const [era = 0, number = 0] = after.split('-').map(Number)
      const seenNumber = era === epoch ? number : 0
      const last = await lastOf(current, stream, subject)
      if (last <= seenNumber) return { messages: [], last: toId(epoch, last) }
      // Read from the last seen event on: events are deleted oldest first, so if it still exists, so do all later ones
      const replayed = await replayMessages(js, jsm, {
        stream,
        subject,
        from: Math.max(seenNumber, 1),
        most: limit + 1,
      })
      const whole = replayed[0]?.seq === seenNumber
      if (whole || replayed.length > limit) replayed.splice(whole ? 0 : limit, 1)
      const newest = replayed.at(-1)?.seq ?? 0
      // A follower that lags behind the leader of the cluster would hide the newest events
      if (newest < last && replayed.length < limit)
        throw new Error(`Read the events up to ${newest}, but the newest is ${last}`)
      const messages = replayed.map(({ seq, text }): StoredMessage => ({ id: `${epoch}-${seq}`, text }))
      const [first] = messages
      const hasLoss = !whole && ((after !== NOTHING && era !== epoch) || (await hasGap(current, subject, seenNumber)))
      if (first && hasLoss) messages[0] = { ...first, gap: true }
      return { messages, last: toId(epoch, Math.max(last, newest)) }
    },
    listen(topic, listener) {
      return followSubject({ stream: backing, name: stream, subject: subjectOf(topic), listener, open })
    },
    close() {
      for (const messages of open) messages.stop()
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

/** A topic as one token of a subject, which must not contain dots, spaces or wildcards. */
const tokenOf = (topic: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(topic)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
