import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream'

/** A message of the stream. */
interface StreamMessage {
  readonly seq: number
  readonly text: string
}

/** After how long the server deletes a consumer that this process could not delete, in nanoseconds. */
const INACTIVE_NS = 10_000_000_000

/** How long the server may take to send the messages, in milliseconds. */
const EXPIRES_MS = 30_000

/**
 * At most `max` messages of a subject, beginning with the number `from`. They are read with a temporary consumer,
 * because servers before 2.11 send only one message per direct request.
 *
 * @throws {Error} if the server sends fewer messages than it has
 */
export const replay = async (
  js: JetStreamClient,
  jsm: JetStreamManager,
  { stream, subject, from, max }: { stream: string; subject: string; from: number; max: number },
): Promise<StreamMessage[]> => {
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
    jsm.consumers.delete(stream, info.name).catch(() => {})
  }
}
