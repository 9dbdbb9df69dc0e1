import { type ChannelBackend, compareIds, type Page, type StoredMessage, type TopicListener } from './backend.ts'
import { ChannelError, callBackend } from './channel-error.ts'
import { type Bounds, PAGE, type ReadAfter, Subscriber } from './subscriber.ts'

/** A topic with subscribers in this process, for which the backend has one listener. */
interface Topic {
  readonly subscribers: Set<Subscriber>
  /** Resolves when the backend has begun to deliver messages. */
  readonly listening: Promise<TopicListener>
  readonly read: ReadAfter
  /** Id of the newest message that was delivered. */
  last: string
}

export interface Membership {
  readonly subscriber: Subscriber
  /** The subscriber gets the messages after this id. */
  readonly from: string
  leave(): void
}

export const createTopics = (backend: ChannelBackend, timeoutMs: number, bounds: Bounds) => {
  const topics = new Map<string, Topic>()
  let ended: ChannelError | undefined

  const open = (name: string): Topic => {
    const subscribers = new Set<Subscriber>()
    const next = (message: StoredMessage): void => {
      const before = compareIds(message.id, topic.last) > 0 ? topic.last : undefined
      topic.last = message.id
      for (const subscriber of subscribers) subscriber.push(message, before)
    }
    const fail = (error: Error): void => {
      if (topics.get(name) === topic) topics.delete(name)
      const message = `The backend has given up the topic ${JSON.stringify(name)}: ${error.message}`
      const channelError = new ChannelError('backend', message, error)
      for (const subscriber of subscribers) subscriber.end(channelError)
      subscribers.clear()
    }
    const begin = async (): Promise<TopicListener> => {
      const started = Promise.resolve(backend.listen(name, { next, fail }))
      try {
        const listening = await callBackend(`Subscribing to ${JSON.stringify(name)}`, timeoutMs, () => started)
        if (topic.last === '') topic.last = listening.from
        return listening
      } catch (error) {
        if (topics.get(name) === topic) topics.delete(name)
        stopWhenReady(started)
        throw error
      }
    }
    const read = shareReads((after) =>
      callBackend(`Reading ${JSON.stringify(name)}`, timeoutMs, () => backend.read(name, after, PAGE)),
    )
    const topic: Topic = { subscribers, listening: Promise.resolve().then(begin), read, last: '' }
    topics.set(name, topic)
    return topic
  }

  const closeIfUnused = (name: string, topic: Topic): void => {
    if (topic.subscribers.size || topics.get(name) !== topic) return
    topics.delete(name)
    stopWhenReady(topic.listening)
  }

  /** A separate function keeps nothing else of `join` in memory. */
  const createLeave = (name: string, topic: Topic, subscriber: Subscriber) => (): void => {
    topic.subscribers.delete(subscriber)
    subscriber.end()
    closeIfUnused(name, topic)
  }

  return {
    /** @param after the last id that was seen; without it, only new messages come */
    async join(name: string, after: string | undefined): Promise<Membership> {
      let topic: Topic
      // Meanwhile its last subscriber may have left, the backend may have given up, or the channel was closed
      do {
        if (ended) throw ended
        topic = topics.get(name) ?? open(name)
        await topic.listening
      } while (topics.get(name) !== topic)
      const from = after ?? topic.last
      const subscriber = new Subscriber(bounds, topic.read, from, topic.last)
      topic.subscribers.add(subscriber)
      return { subscriber, from, leave: createLeave(name, topic, subscriber) }
    },
    /** End all subscriptions, those that are joining included. Nobody can join from then on. */
    endAll(): void {
      ended ??= new ChannelError('closed', 'The channel was closed')
      for (const [name, topic] of topics) {
        for (const subscriber of topic.subscribers) subscriber.end(ended)
        topic.subscribers.clear()
        closeIfUnused(name, topic)
      }
    },
  }
}

const stopWhenReady = (listening: Promise<TopicListener>): void =>
  void listening.then(
    (started) => started.stop(),
    () => {},
  )

/**
 * Share a read between subscribers: when a process ends, thousands of its clients come back with the same id. A
 * subscriber that asks during a read gets the result of the next one: the current one may lack the newest message.
 */
export const shareReads = (read: ReadAfter): ReadAfter => {
  const turns = new Map<string, { readonly current: Promise<Page>; next?: Promise<Page> }>()
  const begin = (after: string): Promise<Page> => {
    const turn = { current: read(after) }
    turns.set(after, turn)
    const end = (): void => {
      if (turns.get(after) === turn) turns.delete(after)
    }
    turn.current.then(end, end)
    return turn.current
  }
  return (after) => {
    const turn = turns.get(after)
    if (!turn) return begin(after)
    const again = (): Promise<Page> => begin(after)
    turn.next ??= turn.current.then(again, again)
    return turn.next
  }
}
