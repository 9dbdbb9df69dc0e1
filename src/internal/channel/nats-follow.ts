import type { ConsumerMessages } from '@nats-io/jetstream'
import type { ChannelListener, Listening } from './backend.ts'
import { lastOf, type Stream, toId } from './nats-stream.ts'
import { retry } from './retry.ts'

interface SubjectSubscription {
  readonly stream: Stream
  readonly name: string
  readonly subject: string
  readonly listener: ChannelListener
  /** The consumers of all topics that are open: one that is stopped by others ends its subscriptions. */
  readonly open: Set<ConsumerMessages>
}

/** How long a consumer that was lost is retried before its subscriptions end, in milliseconds. */
const GIVE_UP_MS = 30_000

/**
 * Pass the new messages of a subject to a listener. A consumer that was lost, as when the server has restarted, is
 * replaced by one that continues after the last message. If the stream itself was lost, all messages of the new one
 * come, the first with `gap`.
 */
export const followSubject = async ({
  stream,
  name,
  subject,
  listener,
  open,
}: SubjectSubscription): Promise<Listening> => {
  let current = await stream.current()
  let last = await lastOf(current, name, subject)
  let gap = false
  let stopped = false
  let messages: ConsumerMessages | undefined

  const consume = async (): Promise<void> => {
    const { js, epoch } = current
    const consumer = await js.consumers.get(name, { filter_subjects: subject, opt_start_seq: last + 1 })
    const consumed = await consumer.consume({
      // Else the client would go on by itself, with the numbers of a stream that may no longer exist
      abort_on_missing_resource: true,
      callback: (message) => {
        last = message.seq
        const next = { id: `${epoch}-${last}`, text: message.string() }
        listener.next(gap ? { ...next, gap } : next)
        gap = false
      },
    })
    messages = consumed
    open.add(consumed)
    consumed.closed().then((error) => {
      open.delete(consumed)
      // The server would keep it for minutes. A connection that was closed cannot ask for this
      consumer.delete().catch(() => {})
      if (stopped) return
      if (error instanceof Error) void consumeAgain()
      else listener.fail(new Error('The consumer was closed'))
    })
    if (stopped) consumed.stop()
  }
  const consumeAgain = (): Promise<void> =>
    retry(
      GIVE_UP_MS,
      () => !stopped,
      async () => {
        const { epoch } = current
        current = await stream.current()
        if (current.epoch !== epoch) {
          last = 0
          gap = true
        }
        await consume()
      },
    ).catch(listener.fail)

  const from = toId(current.epoch, last)
  await consume()
  return {
    from,
    stop() {
      stopped = true
      messages?.stop()
    },
  }
}
