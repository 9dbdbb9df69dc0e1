import type { ChannelBackend, ChannelListener, StoredMessage } from '../internal/channel/backend.ts'
import { CLOSED, compareIds, Listeners, NOTHING, withGaps } from '../internal/channel/backend.ts'
import { checkNames, checkWhole } from '../internal/options/check.ts'

/** Options of {@link memoryChannel}. */
export interface MemoryChannelOptions {
  /** Events that are kept for each topic, for clients that reconnect. @default 256 */
  readonly keep?: number
  /** Topics whose events are kept. The one without an event for the longest time is dropped first. @default 1024 */
  readonly topics?: number
  /** Characters of JSON that are kept for all topics together. @default 16777216 */
  readonly maxLength?: number
  /** Clock, in milliseconds since 1970. @default Date.now */
  readonly now?: () => number
}

/** The stored events of a topic. */
interface Log {
  readonly epoch: number
  number: number
  messages: StoredMessage[]
  length: number
}

/**
 * Keep events in this process, for its own subscribers. Nothing survives a restart of the process.
 *
 * @throws {TypeError} for a bad option.
 * @example
 * const channel = createChannel<Order>(memoryChannel())
 */
export const memoryChannel = (options: MemoryChannelOptions = {}): ChannelBackend => {
  checkNames('memoryChannel', options, 'keep topics maxLength now:function')
  const { keep = 256, topics = 1024, maxLength = 16_777_216, now = Date.now } = options
  checkWhole(keep, 'memoryChannel: keep', 'events', 1)
  checkWhole(topics, 'memoryChannel: topics', 'topics', 1)
  checkWhole(maxLength, 'memoryChannel: maxLength', 'characters', 1)
  /** In the order of their newest event. */
  const logs = new Map<string, Log>()
  const listeners = new Listeners<ChannelListener>()
  let length = 0
  let newestEpoch = 0

  const createLog = (): Log => {
    newestEpoch = Math.max(now(), newestEpoch + 1)
    return { epoch: newestEpoch, number: 0, messages: [], length: 0 }
  }
  const dropOldest = (log: Log): void => {
    const message = log.messages.shift()!
    log.length -= message.text.length
    length -= message.text.length
  }
  /** Drop the oldest events of the topics without an event for the longest time. The newest event always stays. */
  const shrink = (): void => {
    for (const [topic, log] of logs) {
      while (log.messages.length > 1 && length > maxLength) dropOldest(log)
      if (logs.size === 1 || (logs.size <= topics && length <= maxLength)) return
      length -= log.length
      logs.delete(topic)
    }
  }
  const lastOf = (topic: string): string => {
    const log = logs.get(topic)
    return log ? `${log.epoch}-${log.number}` : NOTHING
  }

  return {
    publish(topic, text) {
      const log = logs.get(topic) ?? createLog()
      logs.delete(topic)
      logs.set(topic, log)
      log.number++
      const message = { id: `${log.epoch}-${log.number}`, text }
      log.messages.push(message)
      log.length += text.length
      length += text.length
      if (log.messages.length > keep) dropOldest(log)
      shrink()
      for (const listener of [...(listeners.byTopic.get(topic) ?? [])]) listener.next(message)
      return message.id
    },
    read(topic, after, limit) {
      const stored = logs.get(topic)?.messages ?? []
      const from = stored.findIndex(({ id }) => compareIds(id, after) > 0)
      const messages = from < 0 ? [] : stored.slice(from, from + limit)
      return { messages: withGaps(after, messages), last: lastOf(topic) }
    },
    listen: (topic, listener) => ({ from: lastOf(topic), stop: listeners.add(topic, listener) }),
    close() {
      const closed = listeners.all()
      logs.clear()
      listeners.byTopic.clear()
      length = 0
      for (const listener of closed) listener.fail(new Error(CLOSED))
    },
  }
}
