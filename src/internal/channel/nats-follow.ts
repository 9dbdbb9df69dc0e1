import type { ConsumerMessages } from '@nats-io/jetstream'
import type { ChannelListener, TopicListener } from './backend.ts'
import { retry } from './follower.ts'
import { lastOf, type Stream, toId } from './nats-stream.ts'

/** How long a consumer that was lost is retried before its subscriptions end, in milliseconds. */
const GIVE_UP_MS = 30_000

/**
 * Pass the new messages of a subject to a listener. A consumer that was lost, as when the server has restarted, is
 * replaced by one that continues after the last message, or if the stream was lost, from the first one, with `gap`.
 *
 * @param consumers those of all topics that are open: one that others stop ends its subscriptions
 */
export const followSubject = async (
  stream: Stream,
  subject: string,
  listener: ChannelListener,
  consumers: Set<ConsumerMessages>,
): Promise<TopicListener> => {
  let current = await stream.current()
  let last = await lastOf(current, subject)
  let gap = false
  let stopped = false
  let messages: ConsumerMessages | undefined

  const consume = async (): Promise<void> => {
    const { js, name, epoch } = current
    const consumer = await js.consumers.get(name, { filter_subjects: subject, opt_start_seq: last + 1 })
    const consumed = await consumer.consume({
      // Otherwise the client would continue with the numbers of a stream that may no longer exist
      abort_on_missing_resource: true,
      callback: (message) => {
        last = message.seq
        const next = { id: `${epoch}-${last}`, text: message.string() }
        listener.next(gap ? { ...next, gap } : next)
        gap = false
      },
    })
    messages = consumed
    consumers.add(consumed)
    consumed.closed().then((error) => {
      consumers.delete(consumed)
      // The server would keep it for minutes. A connection that was closed cannot ask for this
      consumer.delete().catch(() => {})
      if (stopped) return
      if (error instanceof Error) void consumeAgain()
      else listener.fail(new Error('The consumer was closed'))
    })
    if (stopped) consumed.stop()
  }
  const reopen = async (): Promise<void> => {
    const { epoch } = current
    current = await stream.current()
    if (current.epoch !== epoch) {
      last = 0
      gap = true
    }
    await consume()
  }
  const consumeAgain = (): Promise<void> => retry(GIVE_UP_MS, () => !stopped, reopen).catch(listener.fail)

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
