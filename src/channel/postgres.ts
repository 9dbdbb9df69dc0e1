import { type ChannelBackend, NOTHING, type StoredMessage, withGaps } from '../internal/channel/backend.ts'
import { ChannelError } from '../internal/channel/channel-error.ts'
import { createNotifications, type PostgresPool } from '../internal/channel/postgres-notifications.ts'
import { checkNames, checkOption, checkWhole } from '../internal/options/check.ts'

export type { PostgresClient, PostgresPool } from '../internal/channel/postgres-notifications.ts'

/** Options of {@link postgresChannel}. */
export interface PostgresChannelOptions {
  /** A pool of `pg`. One of its connections listens while there are subscriptions. */
  readonly pool: PostgresPool
  /** Table of the events, and name of the notifications. Created if it does not exist. @default 'sluice_channel' */
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
 * Send events to all processes through PostgreSQL (LISTEN and NOTIFY), and keep the newest ones in a table. It suits
 * small events at moderate rates: an event has at most about 7,900 bytes, and each publish is a transaction.
 *
 * @throws {TypeError} for a bad option.
 * @example
 * const channel = createChannel<Order>(postgresChannel({ pool: new Pool({ connectionString }) }))
 */
export const postgresChannel = (options: PostgresChannelOptions): ChannelBackend => {
  checkNames('postgresChannel', options, 'pool table:string keep retentionMs giveUpMs')
  const { pool, table = 'sluice_channel', keep = 1000, retentionMs = 86_400_000, giveUpMs = 30_000 } = options
  checkOption(typeof pool?.connect === 'function', 'postgresChannel: pool', 'a pool of pg', typeof pool)
  const isName = /^[a-z_][a-z0-9_]{0,40}$/.test(table)
  checkOption(isName, 'postgresChannel: table', 'a name of lower-case letters, digits and "_"', table)
  checkWhole(keep, 'postgresChannel: keep', 'events', 1)
  checkWhole(retentionMs, 'postgresChannel: retentionMs', 'milliseconds', 1)
  checkWhole(giveUpMs, 'postgresChannel: giveUpMs', 'milliseconds', 0)
  const statements = statementsOf(table)
  let created: Promise<unknown> | undefined
  const createTable = (): Promise<unknown> => {
    created ??= pool.query(statements.create).catch((error) => {
      created = undefined
      throw error
    })
    return created
  }
  const readKey = async (key: string, after: string, limit: number) => {
    await createTable()
    const [epoch = '0', number = '0'] = after.split('-')
    const { rows } = await pool.query(statements.read, [key, epoch, number, `${limit}`])
    const stored = rows.filter(({ event }) => event !== null)
    const messages = stored.map(({ id, event }): StoredMessage => ({ id: `${id}`, text: `${event}` }))
    return { messages: withGaps(after, messages), last: `${rows[0]?.last ?? NOTHING}` }
  }
  const notifications = createNotifications(pool, `listen ${table}`, giveUpMs, readKey)

  return {
    async publish(topic, text) {
      const key = keyOf(topic)
      /** The part of a notification before the event: the topic and its length. */
      const head = ` ${key.length} ${key}`
      const bytes = new TextEncoder().encode(head + text).byteLength + 34
      if (bytes > MAX_BYTES)
        throw new ChannelError('too_large', `A notification of PostgreSQL has at most ${MAX_BYTES} bytes, got ${bytes}`)
      await createTable()
      const values = [key, text, head, `${keep}`, `${retentionMs}`]
      const { rows } = await pool.query(statements.publish, values)
      return `${rows[0]?.id}`
    },
    read: (topic, after, limit) => readKey(keyOf(topic), after, limit),
    async listen(topic, listener) {
      await createTable()
      return notifications.add(keyOf(topic), listener)
    },
    close: () => notifications.close(),
  }
}

/** A topic as JSON, because PostgreSQL cannot store the NUL that a topic may contain. */
const keyOf = (topic: string): string => JSON.stringify(topic)

/**
 * `publish` calls a function that locks the topic, so that ids have the order of commits and notifications. About every
 * hundredth call deletes the expired events of all topics. `create` is one transaction: its lock prevents two processes
 * from creating the same table.
 */
const statementsOf = (table: string) => ({
  create: `
select pg_advisory_xact_lock(hashtext('${table}'));
create table if not exists ${table} (
  topic text not null, epoch bigint not null, number bigint not null, event text not null,
  at timestamptz not null default clock_timestamp(), primary key (topic, epoch, number));
create index if not exists ${table}_at on ${table} (at);
create or replace function ${table}_publish(t text, e text, head text, keep bigint, life bigint) returns text as $body$
declare
  ep bigint; n bigint; id text;
begin
  perform pg_advisory_xact_lock(hashtext('${table}'), hashtext(t));
  select c.epoch, c.number into ep, n from ${table} c where c.topic = t order by c.epoch desc, c.number desc limit 1;
  if not found then
    ep := floor(extract(epoch from clock_timestamp()) * 1000); n := 0;
  end if;
  n := n + 1;
  id := ep || '-' || n;
  insert into ${table} (topic, epoch, number, event) values (t, ep, n, e);
  delete from ${table} c where c.topic = t and (c.epoch < ep or c.number <= n - keep);
  if random() < 0.01 then
    delete from ${table} c where c.at < clock_timestamp() - life * interval '1 millisecond';
  end if;
  perform pg_notify('${table}', id || head || e);
  return id;
end $body$ language plpgsql`,
  publish: `select ${table}_publish($1, $2, $3, $4, $5) as id`,
  read: `
with newest as (select epoch || '-' || number as last from ${table} where topic = $1
  order by epoch desc, number desc limit 1)
select newest.last, page.id, page.event from newest left join lateral (
  select epoch || '-' || number as id, event, epoch, number from ${table}
  where topic = $1 and (epoch, number) > ($2::bigint, $3::bigint) order by epoch, number limit $4::bigint
) page on true order by page.epoch, page.number`,
})
