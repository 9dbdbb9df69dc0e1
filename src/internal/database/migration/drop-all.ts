import { CompiledQuery } from 'kysely'
import { type DialectName, dialectOf } from '../dialect.ts'
import { holdConnection } from '../driver/single-connection.ts'
import { withMigrationLock } from './lock.ts'
import type { MigrationOptions } from './migration.ts'

/** Drop every table and view of the database (of the current schema, on PostgreSQL). */
export const dropAll = ({ db, lockTimeoutMs = 60_000 }: MigrationOptions): Promise<void> => {
  const dialect = dialectOf(db)
  const foreignKeys = FOREIGN_KEYS[dialect]
  return holdConnection(db, async (connection) => {
    const send = (sql: string) => connection.executeQuery<{ statement: string }>(CompiledQuery.raw(sql))
    if (foreignKeys) await send(`${foreignKeys} = 0`)
    try {
      await withMigrationLock(dialect, connection, lockTimeoutMs, async () => {
        const { rows } = await send(DROP_STATEMENTS[dialect])
        for (const { statement } of rows) await send(statement)
      })
    } finally {
      if (foreignKeys) await send(`${foreignKeys} = 1`)
    }
  })
}

/** The setting that is off while tables are dropped. PostgreSQL drops with `cascade`. */
const FOREIGN_KEYS: Readonly<Partial<Record<DialectName, string>>> = {
  sqlite: 'pragma foreign_keys',
  mysql: 'set foreign_key_checks',
}

/** Queries that return a statement for each object. The database quotes the names, and views come first. */
const DROP_STATEMENTS: Readonly<Record<DialectName, string>> = {
  // Virtual tables first, such as those of FTS5: dropping one also drops the tables that hold its rows
  sqlite: `select 'drop ' || type || ' if exists "' || replace(name, '"', '""') || '"' as statement from sqlite_master
    where type in ('view', 'table') and name not like 'sqlite\\_%' escape '\\'
    order by type desc, sql like 'create virtual %' desc`,
  // Objects of an extension stay
  postgres: `select statement from (
      select case c.relkind when 'v' then 1 when 'm' then 2 when 'S' then 4 else 3 end as rank, format('drop %s if exists %I.%I cascade',
        case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' when 'f' then 'foreign table' else 'table' end,
        n.nspname, c.relname) as statement, c.oid, 'pg_class'::regclass::oid as class
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = current_schema() and c.relkind in ('v', 'm', 'r', 'p', 'f', 'S')
      union all
      select 5, format('drop type if exists %I.%I cascade', n.nspname, t.typname), t.oid, 'pg_type'::regclass::oid
      from pg_type t join pg_namespace n on n.oid = t.typnamespace
      left join pg_class c on c.oid = t.typrelid
      where n.nspname = current_schema() and (t.typtype in ('e', 'd', 'r') or c.relkind = 'c')
      union all
      select 6, format('drop routine if exists %s cascade', p.oid::regprocedure), p.oid, 'pg_proc'::regclass::oid
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname = current_schema()
        and not exists (select 1 from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'i')
    ) objects
    where not exists (select 1 from pg_depend d where d.classid = class and d.objid = objects.oid and d.deptype = 'e')
    order by rank`,
  // MariaDB has more types: SEQUENCE, SYSTEM VERSIONED
  mysql: `select concat('drop ', case table_type when 'VIEW' then 'view' when 'SEQUENCE' then 'sequence' else 'table' end,
      ' if exists \`', replace(table_name, '\`', '\`\`'), '\`') as statement, table_type as kind
    from information_schema.tables where table_schema = database()
    union all
    select concat('drop ', routine_type, ' if exists \`', replace(routine_name, '\`', '\`\`'), '\`'), 'A'
    from information_schema.routines where routine_schema = database() order by kind desc`,
}
