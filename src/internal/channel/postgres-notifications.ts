import { type ChannelListener, type Listening, type Page, withGaps } from './backend.ts'
import { compareIds, NOTHING } from './message-id.ts'

/** What of a client of `pg` is used. */
export interface PostgresClient {
  query(text: string): Promise<unknown>
  on(event: string, listener: (given: any) => void): unknown // any: what pg emits
  removeAllListeners?(): unknown
  release(destroy?: boolean): void
}

/** What of a pool of `pg` is used. */
export interface PostgresPool {
  query(text: string, values?: string[]): Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>
  connect(): Promise<PostgresClient>
}

interface Followed {
  readonly listener: ChannelListener
  last: string
  /** True while it is read from the table; notifications then say that one more look is needed. */
  reading: boolean
  stale: boolean
}

interface NotificationOptions {
  readonly pool: PostgresPool
  readonly listen: string
  readonly giveUpMs: number
  readonly read: (topic: string, after: string, limit: number) => Promise<Page>
}

/** Topics that are listened to over one connection. */
export interface Notifications {
  add(topic: string, listener: ChannelListener): Promise<Listening>
  close(): Promise<void>
}

const PAGE = 256

/** One connection that listens, for all topics of a process. When it is lost, the table tells what was missed. */
export const createNotifications = ({ pool, listen, giveUpMs, read }: NotificationOptions): Notifications => {
  const topics = new Map<string, Followed>()
  let connecting: Promise<PostgresClient> | undefined

  const connect = async (): Promise<PostgresClient> => {
    const client = await pool.connect()
    const lost = (): void => {
      if (gone) return
      gone = true
      client.release(true)
      connecting = undefined
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
        await Promise.all([...topics].map(([topic, followed]) => catchUp(topic, followed)))
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
    const followed = topics.get(topic)
    if (!followed) return
    if (followed.reading) followed.stale = true
    else tell(followed, [{ id, text: payload.slice(begin + Number(length)) }])
  }
  const tell = (followed: Followed, messages: Page['messages']): void => {
    const fresh = messages.filter(({ id }) => compareIds(id, followed.last) > 0)
    for (const message of withGaps(followed.last, fresh)) {
      followed.last = message.id
      followed.listener.next(message)
    }
  }
  const catchUp = async (topic: string, followed: Followed): Promise<void> => {
    followed.reading = true
    let full = true
    while (full || followed.stale) {
      followed.stale = false
      const { messages } = await read(topic, followed.last, PAGE)
      full = messages.length >= PAGE
      tell(followed, messages)
    }
    followed.reading = false
  }

  return {
    async add(topic: string, listener: ChannelListener): Promise<Listening> {
      const followed: Followed = { listener, last: NOTHING, reading: true, stale: false }
      topics.set(topic, followed)
      try {
        await connected()
        followed.last = (await read(topic, '9999999999999999-0', 1)).last
        await catchUp(topic, followed)
      } catch (error) {
        if (topics.get(topic) === followed) topics.delete(topic)
        throw error
      }
      const stop = (): void => {
        if (topics.get(topic) === followed) topics.delete(topic)
        if (!topics.size) void close()
      }
      return { from: followed.last, stop }
    },
    close,
  }

  /** The connection goes back, without what it listened to. */
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
