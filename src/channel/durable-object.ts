import { type ChannelBackend, type Page, withGaps } from '../internal/channel/backend.ts'
import { type ChannelObject, type ChannelObjectState, topicObject } from '../internal/channel/channel-object.ts'
import { followObject } from '../internal/channel/object-listener.ts'
import { checkNames, checkOption, checkWhole } from '../internal/options/check.ts'
import type { DurableObjectNamespace, DurableObjectStub } from '../internal/store/durable-object.ts'

export type { ChannelObject, ChannelObjectState } from '../internal/channel/channel-object.ts'
export type { DurableObjectNamespace, DurableObjectStub } from '../internal/store/durable-object.ts'

/** Options of {@link durableObjectChannel}. */
export interface DurableObjectChannelOptions {
  /** How long a lost connection is retried before its subscriptions end, in milliseconds. @default 30000 */
  readonly giveUpMs?: number
}

/** Options of {@link channelObject}. */
export interface ChannelObjectOptions {
  /** Events that are kept for each topic. @default 1000 */
  readonly keep?: number
  /** A topic is deleted when it has had no event for so many milliseconds. @default 86400000 */
  readonly retentionMs?: number
}

/**
 * Send events through Durable Objects, one for each topic, to all locations. Create the channel in the handler: on
 * Workers, a request cannot use a connection that another request has opened.
 *
 * @param namespace the binding of a class that {@link channelObject} returned
 * @throws {TypeError} if the binding is missing, or for a bad option.
 * @example
 * export class Topic extends channelObject() {}
 *
 * const orders = (ctx: Context) => createChannel<Order>(durableObjectChannel(ctx.env.TOPICS))
 * app.get('/orders/live', (ctx) => ctx.sse(orders(ctx).stream(ctx, 'orders')))
 */
export const durableObjectChannel = (
  namespace: DurableObjectNamespace,
  options: DurableObjectChannelOptions = {},
): ChannelBackend => {
  const isBinding = typeof namespace?.idFromName === 'function'
  checkOption(isBinding, 'durableObjectChannel: namespace', 'a Durable Object binding', typeof namespace)
  checkNames('durableObjectChannel', options, 'giveUpMs')
  const { giveUpMs = 30_000 } = options
  checkWhole(giveUpMs, 'durableObjectChannel: giveUpMs', 'milliseconds', 0)
  // A stub that has failed stays broken, so each call gets a new one
  const stubOf = (topic: string): DurableObjectStub => namespace.get(namespace.idFromName(topic))
  const request = async (topic: string, search: string, init: { method?: string; body?: string }) => {
    const response = await stubOf(topic).fetch(`https://channel/${search}`, init)
    if (!response.ok) throw new Error(`The object responded with ${response.status}: ${await response.text()}`)
    return response
  }
  const read = async (topic: string, after: string, limit: number): Promise<Page> => {
    const response = await request(topic, `?after=${after}&limit=${limit}`, {})
    const { messages, last }: Page = await response.json()
    return { messages: withGaps(after, messages), last }
  }

  return {
    publish: async (topic, text) => (await request(topic, '', { method: 'POST', body: text })).text(),
    read,
    listen(topic, listener) {
      const open = () => stubOf(topic).fetch('https://channel/', { headers: { upgrade: 'websocket' } })
      return followObject(listener, open, (after, limit) => read(topic, after, limit), giveUpMs)
    },
  }
}

/**
 * The class to export and bind: `new_sqlite_classes = ["Topic"]`. The object stores the events of its topic, and
 * hibernates between events, even with listeners.
 *
 * @throws {TypeError} for a bad option.
 * @example
 * export class Topic extends channelObject({ keep: 200 }) {}
 */
export const channelObject = (
  options: ChannelObjectOptions = {},
): (new (
  state: ChannelObjectState,
  env?: unknown,
) => ChannelObject) => {
  checkNames('channelObject', options, 'keep retentionMs')
  const { keep = 1000, retentionMs = 86_400_000 } = options
  checkWhole(keep, 'channelObject: keep', 'events', 1)
  checkWhole(retentionMs, 'channelObject: retentionMs', 'milliseconds', 1)
  return topicObject(keep, retentionMs)
}
