import type { ChannelBackend, ChannelListener, StoredMessage } from '../internal/channel/backend.ts'
import { withGaps } from '../internal/channel/backend.ts'
import { ChannelError } from '../internal/channel/channel-error.ts'
import { NOTHING } from '../internal/channel/message-id.ts'
import { createNotifications, type PostgresPool } from '../internal/channel/postgres-notifications.ts'
import { statementsOf } from '../internal/channel/postgres-statements.ts'
import { checkNames, checkOption, checkWhole } from '../internal/options/check.ts'

export type { PostgresClient, PostgresPool } from '../internal/channel/postgres-notifications.ts'

/** Options of {@link postgresChannel}. */
export interface PostgresChannelOptions {
  /** A pool of `pg`. One of its connections listens while there are subscriptions. */
  readonly pool: PostgresPool
  /**
   * Table for the stored events, and name of the notifications. Created if it does not exist. @default 'sluice_channel'
   */
  readonly table?: string
  /** Events that are kept for each topic. @default 1000 */
  readonly keep?: number
  /** How long an event is kept, in milliseconds. @default 86400000 */
  readonly retentionMs?: number
  /** How long a lost connection is retried before its subscriptions end, in milliseconds. @default 30000 */
  readonly giveUpMs?: number
}

/** PostgreSQL accepts notifications of fewer than 8000 bytes, id and topic included. */
const MAX_BYTES = 7999

/**
 * Send events to all processes through PostgreSQL (LISTEN and NOTIFY). It suits small events at moderate rates: an
 * event has at most about 7,900 bytes, and each publish is a transaction. A table keeps the newest events of each
 * topic.
 *
 * @throws {TypeError} for a bad option.
 * @example
 * const channel = createChannel<Order>(postgresChannel({ pool: new Pool({ connectionString }) }))
 */
export const postgresChannel = (options: PostgresChannelOptions): ChannelBackend => {
  checkNames('postgresChannel', options, 'pool table:string keep retentionMs giveUpMs')
  const { pool, table = 'sluice_channel', keep = 1000, retentionMs = 86_400_000, giveUpMs = 30_000 } = options
  checkOption(typeof pool?.connect === 'function', 'postgresChannel: pool', 'a pool of pg', typeof pool)
  checkOption(
    /^[a-z_][a-z0-9_]{0,40}$/.test(table),
    'postgresChannel: table',
    'a name of lower-case letters, digits and "_"',
    table,
  )
  checkWhole(keep, 'postgresChannel: keep', 'events', 1)
  checkWhole(retentionMs, 'postgresChannel: retentionMs', 'milliseconds', 1)
  checkWhole(giveUpMs, 'postgresChannel: giveUpMs', 'milliseconds', 0)
  const statements = statementsOf(table)
  let created: Promise<unknown> | undefined
  const createTable = async (): Promise<void> => {
    created ??= pool.query(statements.create)
    try {
      await created
    } catch (error) {
      created = undefined
      throw error
    }
  }
  const read = async (topic: string, after: string, limit: number) => {
    await createTable()
    const [epoch = '0', number = '0'] = after.split('-')
    const { rows } = await pool.query(statements.read, [keyOf(topic), epoch, number, `${limit}`])
    const messages = rows
      .filter(({ event }) => event !== null)
      .map(({ id, event }): StoredMessage => ({ id: `${id}`, text: `${event}` }))
    return { messages: withGaps(after, messages), last: `${rows[0]?.last ?? NOTHING}` }
  }
  const notifications = createNotifications({ pool, listen: `listen ${table}`, giveUpMs, read })

  return {
    async publish(topic, text) {
      const head = headOf(topic)
      const bytes = new TextEncoder().encode(head + text).byteLength + 34
      if (bytes > MAX_BYTES)
        throw new ChannelError('too_large', `A notification of PostgreSQL has at most ${MAX_BYTES} bytes, got ${bytes}`)
      await createTable()
      const values = [keyOf(topic), text, head, `${keep}`, `${retentionMs}`]
      const { rows } = await pool.query(statements.publish, values)
      return `${rows[0]?.id}`
    },
    read,
    async listen(topic: string, listener: ChannelListener) {
      await createTable()
      return notifications.add(topic, listener)
    },
    close: () => notifications.close(),
  }
}

/** A topic as JSON, because PostgreSQL cannot store the NUL that a topic may contain. */
const keyOf = (topic: string): string => JSON.stringify(topic)

/** The part of a notification before the event: the topic and its length, so that a reader finds the event. */
const headOf = (topic: string): string => ` ${keyOf(topic).length} ${keyOf(topic)}`
