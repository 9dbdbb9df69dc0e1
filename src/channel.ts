import { type ChannelBackend, isMessageId, NOTHING } from './internal/channel/backend.ts'
import { callBackend } from './internal/channel/channel-error.ts'
import { type Subscription, toSubscription, toText } from './internal/channel/subscription.ts'
import { createFrames, type ToFrame, toSender } from './internal/channel/to-sender.ts'
import { createTopics } from './internal/channel/topics.ts'
import { checkNames, checkOption, checkWhole } from './internal/options/check.ts'
import { markHandled } from './internal/promise/awaitable.ts'
import type { Sender } from './internal/sse/event-stream.ts'
import type { ServerSentEvent } from './internal/sse/sse-frame.ts'
import { createCircuitBreaker } from './internal/time/circuit-breaker.ts'
import { checkDelay } from './internal/time/delay.ts'
import type { AnyContext } from './internal/types/context.ts'

export type {
  ChannelBackend,
  ChannelListener,
  Page,
  StoredMessage,
  TopicListener,
} from './internal/channel/backend.ts'
export { ChannelError, type ChannelErrorCode } from './internal/channel/channel-error.ts'
export type { ChannelMessage, Subscription } from './internal/channel/subscription.ts'

/** Options of {@link createChannel}. */
export interface ChannelOptions {
  /** Events that may wait for a subscriber. @default 256 */
  readonly queueLimit?: number
  /**
   * What one more event does: `disconnect` ends the subscription with a {@link ChannelError} `overflow`; `drop-oldest`
   * drops the event that waits longest, and sets `gap` on the next message. @default 'disconnect'
   */
  readonly overflow?: 'disconnect' | 'drop-oldest'
  /** Longest event as JSON, in bytes. @default 1048576 */
  readonly maxEventBytes?: number
  /** How long the backend may take to respond, in milliseconds. @default 5000 */
  readonly timeoutMs?: number
}

/** Options of a subscription. */
export interface SubscribeOptions {
  /** Ends the subscription. */
  readonly signal?: AbortSignal
  /** Id of the last received message: stored events after it come first. @default only new events */
  readonly after?: string | undefined
}

/** Options of a stream of server-sent events. */
export interface ChannelStreamOptions<Event, Sent extends ServerSentEvent = ServerSentEvent> {
  /**
   * Name and data of an event for the client. Pass the same function for all streams: they share the bytes.
   * @default the event as JSON, without a name
   */
  readonly toEvent?: (event: Event) => Sent
}

/** Tells a client that the backend no longer has some of the events that it missed. */
export interface GapEvent {
  readonly event: 'gap'
  readonly data: ''
}

/** Topics that events are published to, within one process or between all of them: the backend decides. */
export interface Channel<Event> {
  /**
   * Send an event to all subscribers of a topic.
   *
   * @returns the id of the event, once the backend has stored it
   * @throws {TypeError} unless the topic is a well-formed string of 1 to 256 characters; for an event that is not JSON
   * @throws {ChannelError} `too_large`; `backend` if the backend did not respond in time: the event may have been sent.
   * Until the backend responds again, one publish at a time is tried, and others fail at once
   */
  publish(topic: string, event: Event): Promise<string>
  /**
   * Listen to a topic. Each event comes once, in the order in which the backend stored them.
   *
   * @throws {ChannelError} from the iterator: `overflow`, `backend`, `closed`
   */
  subscribe(topic: string, options?: SubscribeOptions): Subscription<Event>
  /**
   * A sender for `sse`: the topic's events from now on, or those after the `Last-Event-ID` of the request. If the
   * backend no longer has some of them, the client first gets an event named `gap`.
   *
   * @typeParam Sent what the client gets, for `sluice/client`
   */
  stream<Sent extends ServerSentEvent = { readonly data: Event }>(
    ctx: Pick<AnyContext, 'header'>,
    topic: string,
    options?: ChannelStreamOptions<Event, Sent>,
  ): Sender<Sent | GapEvent>
  /** End all subscriptions, and close the connections of the backend. Later subscriptions fail with `closed`. */
  close(): Promise<void>
}

/**
 * Create a channel: what one process publishes, every process that uses the same backend can subscribe to.
 *
 * @throws {TypeError} for a bad option.
 * @example
 * const orders = createChannel<Order>(memoryChannel())
 * app.get('/orders/live', (ctx) => ctx.sse(orders.stream(ctx, 'orders')))
 * app.post('/orders', async (ctx) => ctx.json({ id: await orders.publish('orders', await ctx.json()) }))
 */
export const createChannel = <Event>(backend: ChannelBackend, options: ChannelOptions = {}): Channel<Event> => {
  const isBackend = typeof backend?.publish === 'function'
  checkOption(isBackend, 'createChannel: backend', 'a backend such as memoryChannel()', typeof backend)
  checkNames('createChannel', options, 'queueLimit:number overflow:string maxEventBytes timeoutMs')
  const { queueLimit = 256, overflow = 'disconnect', maxEventBytes = 1_048_576, timeoutMs = 5000 } = options
  checkWhole(queueLimit, 'createChannel: queueLimit', 'events', 1)
  const isOverflow = overflow === 'disconnect' || overflow === 'drop-oldest'
  checkOption(isOverflow, 'createChannel: overflow', '"disconnect" or "drop-oldest"', overflow)
  checkWhole(maxEventBytes, 'createChannel: maxEventBytes', 'bytes', 1)
  checkDelay(timeoutMs, 'createChannel: timeoutMs', 1)
  const topics = createTopics(backend, timeoutMs, { limit: queueLimit, overflow })
  const breaker = createCircuitBreaker()
  const plain = createFrames()
  const framesByFunction = new WeakMap<object, ToFrame>()
  const framesOf = (toEvent: (event: Event) => ServerSentEvent): ToFrame => {
    const frames = framesByFunction.get(toEvent) ?? createFrames(toEvent as (event: unknown) => ServerSentEvent)
    framesByFunction.set(toEvent, frames)
    return frames
  }

  return {
    async publish(topic, event) {
      checkTopic('publish', topic)
      const text = toText(event, maxEventBytes)
      const name = JSON.stringify(topic)
      return callBackend(`Publishing to ${name}`, timeoutMs, () => backend.publish(topic, text), breaker)
    },
    subscribe(topic, settings = {}) {
      checkTopic('subscribe', topic)
      checkNames('subscribe', settings, 'signal after:string')
      const joining = markHandled(topics.join(topic, positionOf(settings.after)))
      return toSubscription<Event>(topic, joining, settings.signal)
    },
    stream(ctx, topic, settings = {}) {
      checkTopic('stream', topic)
      checkNames('stream', settings, 'toEvent:function')
      const after = positionOf(ctx.header('last-event-id'))
      const toFrame = settings.toEvent ? framesOf(settings.toEvent) : plain
      return toSender(() => topics.join(topic, after), toFrame)
    },
    async close() {
      topics.endAll()
      await backend.close?.()
    },
  }
}

/** An empty string is not an id. Any other invalid id counts as the oldest, so all stored events are sent. */
const positionOf = (id: string | null | undefined): string | undefined =>
  id ? (isMessageId(id) ? id : NOTHING) : undefined

/** All halves of surrogate pairs are the same bytes in UTF-8, so a backend would mix up two such topics. */
const checkTopic = (name: string, topic: string): void => {
  const isTopic = typeof topic === 'string' && topic.length > 0 && topic.length <= 256 && topic.isWellFormed()
  checkOption(isTopic, `${name}: topic`, 'a well-formed string of 1 to 256 characters', topic)
}
