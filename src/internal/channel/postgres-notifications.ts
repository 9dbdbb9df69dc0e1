import { inTime, timedOut } from '../time/in-time.ts'
import { type ChannelListener, CLOSED, type Listening, type Page } from './backend.ts'
import { checkInterval, createFollower, type Follower } from './follower.ts'
import { retry } from './retry.ts'

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
  /** Several channels may have the same backend, and each has a listener for a topic. */
  const topics = new Map<string, Set<Follower>>()
  const followers = (): Follower[] => [...topics.values()].flatMap((all) => [...all])
  /** Resolves to a function that releases the connection. The pool destroys it, because it still listens. */
  let connecting: Promise<() => void> | undefined
  const timeoutMs = checkInterval(giveUpMs)
  const withTimeout = <T>(work: () => Promise<T>): Promise<T> =>
    inTime(timeoutMs, () => timedOut(`PostgreSQL did not answer within ${timeoutMs} ms`), work)

  const connect = async (onLost: () => void): Promise<() => void> => {
    const client = await pool.connect()
    let isReleased = false
    let isChecking = false
    const release = (): void => {
      if (isReleased) return
      isReleased = true
      clearInterval(timer)
      client.removeAllListeners?.()
      client.on('error', () => {})
      client.release(true)
    }
    const dropConnection = (): void => {
      if (isReleased) return
      release()
      onLost()
    }
    // Only this detects a server that disappeared without closing the connection
    const timer = setInterval(() => {
      if (isChecking) return
      isChecking = true
      const onReply = (): void => {
        isChecking = false
      }
      withTimeout(() => client.query('select 1')).then(onReply, dropConnection)
    }, timeoutMs)
    client.on('error', dropConnection)
    client.on('end', dropConnection)
    client.on('notification', ({ payload = '' }: { payload?: string }) => receive(payload))
    try {
      await client.query(listen)
    } catch (error) {
      release()
      throw error
    }
    return release
  }
  const openConnection = (): Promise<() => void> => {
    if (connecting) return connecting
    const connection = connect(() => {
      // No caller waits for this one any more, and another one may exist
      if (connecting !== connection) return
      connecting = undefined
      for (const follower of followers()) follower.pause()
      if (topics.size) void reconnect()
    })
    connection.catch(() => {
      if (connecting === connection) connecting = undefined
    })
    connecting = connection
    return connection
  }
  /** An unused connection is returned to the pool, even if it is still being opened. */
  const releaseIfUnused = (): void => {
    if (topics.size) return
    const closing = connecting
    connecting = undefined
    closing?.then(
      (leave) => leave(),
      () => {},
    )
  }
  const reconnect = (): Promise<void> =>
    retry(
      giveUpMs,
      () => topics.size > 0,
      async () => {
        await withTimeout(openConnection)
        await Promise.all(followers().map((follower) => follower.catchUp()))
      },
    ).catch(giveUp)
  const giveUp = (error: Error): void => {
    const ended = followers()
    topics.clear()
    releaseIfUnused()
    for (const { listener } of ended) listener.fail(error)
  }
  const receive = (payload: string): void => {
    const [head, id, length] = HEAD.exec(payload) ?? []
    if (!head || !id) return
    const end = head.length + Number(length)
    const message = { id, text: payload.slice(end) }
    for (const follower of topics.get(topicIn(payload.slice(head.length, end))) ?? []) follower.receive(message)
  }

  return {
    async add(topic: string, listener: ChannelListener): Promise<Listening> {
      const follower = createFollower(
        listener,
        (after, limit) => withTimeout(() => read(topic, after, limit)),
        undefined,
      )
      const all = topics.get(topic) ?? new Set()
      const stop = (): void => {
        all.delete(follower)
        if (!all.size && topics.get(topic) === all) topics.delete(topic)
        releaseIfUnused()
      }
      topics.set(topic, all.add(follower))
      try {
        await withTimeout(openConnection)
        follower.last = (await withTimeout(() => read(topic, '9999999999999999-0', 1))).last
        await follower.catchUp()
      } catch (error) {
        stop()
        throw error
      }
      return { from: follower.last, stop }
    },
    async close() {
      const closing = connecting
      giveUp(new Error(CLOSED))
      await closing?.catch(() => {})
    },
  }
}

/** `<id> <length of topic> <topic><event>`. Others may send notifications with the same name: they are ignored. */
const HEAD = /^(\d+-\d+) (\d+) /

const topicIn = (text: string): string => {
  try {
    return JSON.parse(text)
  } catch {
    return ''
  }
}
