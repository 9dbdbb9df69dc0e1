import { inTime, timedOut } from '../time/in-time.ts'
import { type ChannelListener, CLOSED, Listeners, type Page, type TopicListener } from './backend.ts'
import { checkInterval, Follower, retry } from './follower.ts'

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

/** One connection for all topics of a process. After it was lost, the missed events are read from the table. */
export const createNotifications = (
  pool: PostgresPool,
  listen: string,
  giveUpMs: number,
  read: (key: string, after: string, limit: number) => Promise<Page>,
) => {
  const followers = new Listeners<Follower>()
  /** Resolves to a function that releases the connection. The pool destroys it, because it still listens. */
  let connecting: Promise<() => void> | undefined
  const timeoutMs = checkInterval(giveUpMs)
  const withTimeout = <T>(work: () => Promise<T>): Promise<T> =>
    inTime(timeoutMs, () => timedOut(`PostgreSQL did not answer within ${timeoutMs} ms`), work)

  const connect = async (onLost: () => void): Promise<() => void> => {
    const client = await pool.connect()
    let isReleased = false
    const release = (): void => {
      if (isReleased) return
      isReleased = true
      clearInterval(timer)
      client.removeAllListeners?.()
      client.on('error', () => {})
      client.release(true)
    }
    const dropConnection = (): void => {
      release()
      onLost()
    }
    // Only this detects a server that disappeared without closing the connection
    const timer = setInterval(() => {
      withTimeout(() => client.query('select 1')).catch(dropConnection)
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
      for (const follower of followers.all()) follower.pause()
      if (followers.byTopic.size) void reconnect()
    })
    connection.catch(() => {
      if (connecting === connection) connecting = undefined
    })
    connecting = connection
    return connection
  }
  /** An unused connection is returned to the pool, even if it is still being opened. */
  const releaseIfUnused = (): void => {
    if (followers.byTopic.size) return
    const closing = connecting
    connecting = undefined
    closing?.then((release) => release()).catch(() => {})
  }
  const connectAndCatchUp = async (): Promise<void> => {
    await withTimeout(openConnection)
    await Promise.all(followers.all().map((follower) => follower.catchUp()))
  }
  const reconnect = (): Promise<void> =>
    retry(giveUpMs, () => followers.byTopic.size > 0, connectAndCatchUp).catch(giveUp)
  const giveUp = (error: Error): void => {
    const ended = followers.all()
    followers.byTopic.clear()
    releaseIfUnused()
    for (const { listener } of ended) listener.fail(error)
  }
  const receive = (payload: string): void => {
    const [head, id, length] = HEAD.exec(payload) ?? []
    if (!head || !id) return
    const end = head.length + Number(length)
    const message = { id, text: payload.slice(end) }
    for (const follower of followers.byTopic.get(payload.slice(head.length, end)) ?? []) follower.receive(message)
  }

  return {
    /** @param key the topic, as it is in notifications */
    async add(key: string, listener: ChannelListener): Promise<TopicListener> {
      const readPage = (after: string, limit: number) => withTimeout(() => read(key, after, limit))
      const follower = new Follower(listener, readPage, undefined)
      const remove = followers.add(key, follower)
      const stop = (): void => {
        remove()
        releaseIfUnused()
      }
      try {
        await withTimeout(openConnection)
        follower.last = (await readPage('9999999999999999-0', 1)).last
        await follower.catchUp()
      } catch (error) {
        stop()
        throw error
      }
      return { from: follower.last, stop }
    },
    async close(): Promise<void> {
      const closing = connecting
      giveUp(new Error(CLOSED))
      await closing?.catch(() => {})
    },
  }
}

/** `<id> <length of key> <key><event>`. Others may send notifications with the same name: they are ignored. */
const HEAD = /^(\d+-\d+) (\d+) /
