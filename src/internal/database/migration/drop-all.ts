import { CompiledQuery, type DatabaseConnection } from 'kysely'
import { dialectOf } from '../dialect.ts'
import { holdConnection } from '../driver/single-connection.ts'
import type { DialectName } from '../url.ts'
import { withMigrationLock } from './lock.ts'
import type { MigrationOptions } from './migration.ts'

/** Drop every table and view of the database (of the current schema, on PostgreSQL). */
export const dropAll = ({ db, lockTimeoutMs = 60_000 }: MigrationOptions): Promise<void> => {
  const dialect = dialectOf(db)
  const { before = [], objects, after = [] } = PLANS[dialect]
  return holdConnection(db, async (connection) => {
    await sendAll(connection, before)
    try {
      await withMigrationLock(dialect, connection, lockTimeoutMs, async () => {
        const { rows } = await connection.executeQuery<{ statement: string }>(CompiledQuery.raw(objects))
        await sendAll(
          connection,
          rows.map(({ statement }) => statement),
        )
      })
    } finally {
      await sendAll(connection, after)
    }
  })
}

const sendAll = async (connection: DatabaseConnection, statements: readonly string[]): Promise<void> => {
  for (const statement of statements) await connection.executeQuery(CompiledQuery.raw(statement))
}

/** A query that returns the statements which empty the database, and what runs before and after them. */
interface Plan {
  readonly before?: readonly string[]
  readonly objects: string
  readonly after?: readonly string[]
}

/** The database itself quotes each name. Views are dropped first. Objects of an extension stay. */
const PLANS: Readonly<Record<DialectName, Plan>> = {
  sqlite: {
    before: ['pragma foreign_keys = off'],
    // Virtual tables first, such as those of FTS5: dropping one also drops the tables that hold its rows
    objects: `select 'drop ' || type || ' if exists "' || replace(name, '"', '""') || '"' as statement from sqlite_master
      where type in ('view', 'table') and name not like 'sqlite\\_%' escape '\\'
      order by type desc, sql like 'create virtual %' desc`,
    after: ['pragma foreign_keys = on'],
  },
  postgres: {
    objects: `select statement from (
        select case c.relkind when 'v' then 1 when 'm' then 2 when 'S' then 4 else 3 end as rank, format('drop %s if exists %I.%I cascade',
          case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' when 'f' then 'foreign table' else 'table' end,
          n.nspname, c.relname) as statement, c.oid, 'pg_class'::regclass::oid as class
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = current_schema() and c.relkind in ('v', 'm', 'r', 'p', 'f', 'S')
        union all
        select 5, format('drop type if exists %I.%I cascade', n.nspname, t.typname), t.oid, 'pg_type'::regclass::oid
        from pg_type t join pg_namespace n on n.oid = t.typnamespace
        where n.nspname = current_schema() and t.typtype in ('e', 'd', 'r')
        union all
        select 5, format('drop type if exists %I.%I cascade', n.nspname, c.relname), c.oid, 'pg_class'::regclass::oid
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = current_schema() and c.relkind = 'c'
        union all
        select 6, format('drop routine if exists %s cascade', p.oid::regprocedure), p.oid, 'pg_proc'::regclass::oid
        from pg_proc p join pg_namespace n on n.oid = p.pronamespace
        where n.nspname = current_schema()
          and not exists (select 1 from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'i')
      ) objects
      where not exists (select 1 from pg_depend d where d.classid = class and d.objid = objects.oid and d.deptype = 'e')
      order by rank`,
  },
  mysql: {
    before: ['set foreign_key_checks = 0'],
    // MariaDB has more types: SEQUENCE, SYSTEM VERSIONED
    objects: `select concat('drop ', case table_type when 'VIEW' then 'view' when 'SEQUENCE' then 'sequence' else 'table' end,
        ' if exists \`', replace(table_name, '\`', '\`\`'), '\`') as statement, table_type as kind
      from information_schema.tables where table_schema = database()
      union all
      select concat('drop ', routine_type, ' if exists \`', replace(routine_name, '\`', '\`\`'), '\`'), 'A'
      from information_schema.routines where routine_schema = database() order by kind desc`,
    after: ['set foreign_key_checks = 1'],
  },
}
