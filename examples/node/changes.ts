import { Redis } from 'ioredis'
import { createChannel } from 'sluice/channel'
import { memoryChannel } from 'sluice/channel/memory'
import { redisChannel } from 'sluice/channel/redis'
import { env } from 'sluice/env'
import { type Todo, type TodoAnswer, toAnswer } from './todo.ts'

interface Change {
  readonly event: 'added' | 'changed' | 'removed'
  readonly todo: TodoAnswer
}

const clients: Redis[] = []

/** A connection that opens with the first command. */
const connect = (url: string) => {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => 500 })
  client.on('error', () => {})
  clients.push(client)
  return ([name, ...args]: string[]) => client.call(name!, ...args)
}

const url = env('REDIS_URL', '')

/** Changes of this process, or with `REDIS_URL` those of all processes. */
const changes = createChannel<Change>(
  url ? redisChannel({ send: connect(url), reader: connect(url), prefix: env('PREFIX', 'todos:') }) : memoryChannel(),
)

const toEvent = ({ event, todo }: Change) => ({ event, data: todo })

/** The changes from now on, or after the one that the client saw last. */
export const watch = (ctx: Parameters<typeof changes.stream>[0]) => changes.stream(ctx, 'todos', { toEvent })

/** Tell everybody what has changed. The change itself stands, even if nobody can be told. */
export const announce = (event: Change['event'], todo: Todo): void => {
  changes.publish('todos', { event, todo: toAnswer(todo) }).catch(console.error)
}

/** Lets go of the connections. */
export const changesProvider = {
  async shutdown(): Promise<void> {
    await changes.close()
    for (const client of clients) client.disconnect()
  },
}
