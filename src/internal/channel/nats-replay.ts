import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream'

/** A message as the stream has it. */
export interface Replayed {
  readonly seq: number
  readonly text: string
}

/** How long a consumer stays that nobody could delete, and how long a server may take to fill a request: nanoseconds, milliseconds. */
const INACTIVE_NS = 10_000_000_000
const EXPIRES_MS = 2000

/**
 * The messages of a subject from a number on, at most so many: by a consumer of their own, since servers before 2.11 give a
 * single message to a request.
 *
 * @throws {Error} if fewer came than the server has
 */
export const replay = async (
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
