import type { ChannelListener, Listening, Page } from './backend.ts'
import { createFollower, type Follower } from './follower.ts'

/** The part of a client of `pg` that is used. */
export interface PostgresClient {
  query(text: string): Promise<unknown>
  on(event: string, listener: (given: any) => void): unknown // any: the events of pg differ
  removeAllListeners?(): unknown
  release(destroy?: boolean): void
}

/** The part of a pool of `pg` that is used. */
export interface PostgresPool {
  query(text: string, values?: string[]): Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>
  connect(): Promise<PostgresClient>
}

interface NotificationOptions {
  readonly pool: PostgresPool
  readonly listen: string
  readonly giveUpMs: number
  readonly read: (topic: string, after: string, limit: number) => Promise<Page>
}

/** Listeners that share one connection. */
export interface Notifications {
  add(topic: string, listener: ChannelListener): Promise<Listening>
  close(): Promise<void>
}

/**
 * One connection that listens for all topics of a process. After it was lost, the missed events are read from the
 * table.
 */
export const createNotifications = ({ pool, listen, giveUpMs, read }: NotificationOptions): Notifications => {
  const topics = new Map<string, Follower>()
  let connecting: Promise<PostgresClient> | undefined

  const connect = async (): Promise<PostgresClient> => {
    const client = await pool.connect()
    const lost = (): void => {
      if (gone) return
      gone = true
      client.release(true)
      connecting = undefined
      for (const follower of topics.values()) follower.pause()
      if (topics.size) void again()
    }
    let gone = false
    client.on('error', lost)
    client.on('end', lost)
    client.on('notification', ({ payload = '' }: { payload?: string }) => hear(payload))
    try {
      await client.query(listen)
    } catch (error) {
      gone = true
      client.release(true)
      throw error
    }
    return client
  }
  const connected = (): Promise<PostgresClient> => {
    connecting ??= connect()
    connecting.catch(() => {
      connecting = undefined
    })
    return connecting
  }
  const again = async (): Promise<void> => {
    const since = performance.now()
    for (let pauseMs = 20; topics.size; pauseMs = Math.min(1000, pauseMs * 2)) {
      try {
        await connected()
        await Promise.all(Array.from(topics.values(), (follower) => follower.catchUp()))
        return
      } catch (error) {
        if (performance.now() - since > giveUpMs) return giveUp(error as Error) // Error: pg rejects with one
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
    }
  }
  const giveUp = (error: Error): void => {
    const told = [...topics.values()]
    topics.clear()
    for (const { listener } of told) listener.fail(error)
  }
  /** `<id> <length of topic> <topic><event>` */
  const hear = (payload: string): void => {
    const [id = '', length = ''] = payload.split(' ', 2)
    const begin = id.length + length.length + 2
    const topic: string = JSON.parse(payload.slice(begin, begin + Number(length)))
    topics.get(topic)?.hear({ id, text: payload.slice(begin + Number(length)) })
  }

  return {
    async add(topic: string, listener: ChannelListener): Promise<Listening> {
      const follower = createFollower(listener, (after, limit) => read(topic, after, limit), undefined)
      topics.set(topic, follower)
      try {
        await connected()
        follower.last = (await read(topic, '9999999999999999-0', 1)).last
        await follower.catchUp()
      } catch (error) {
        if (topics.get(topic) === follower) topics.delete(topic)
        throw error
      }
      const stop = (): void => {
        if (topics.get(topic) === follower) topics.delete(topic)
        if (!topics.size) void close()
      }
      return { from: follower.last, stop }
    },
    close,
  }

  /** Release the connection. The pool destroys it, because it still listens. */
  async function close(): Promise<void> {
    topics.clear()
    const closing = connecting
    connecting = undefined
    const client = await closing?.catch(() => undefined)
    if (!client) return
    client.removeAllListeners?.()
    client.on('error', () => {})
    client.release(true)
  }
}
