import type { Database } from '../../src/database.ts'
import { rawQuery } from './server.ts'

/** One column of a unique key, in each database. Primary and partial keys are left out. */
const QUERIES = {
  sqlite: `select t.name as "table", k.name as "key", c.name as "column"
    from sqlite_master t join pragma_index_list(t.name) k join pragma_index_info(k.name) c
    where t.type = 'table' and k."unique" = 1 and k.partial = 0 and k.origin <> 'pk' order by t.name, k.name, c.seqno`,
  postgres: `select t.relname as "table", k.relname as "key", c.attname as "column"
    from pg_index i join pg_class t on t.oid = i.indrelid join pg_class k on k.oid = i.indexrelid
    join pg_attribute c on c.attrelid = t.oid and c.attnum = any(i.indkey)
    where i.indisunique and not i.indisprimary and i.indpred is null and i.indexprs is null
    and t.relnamespace = current_schema()::regnamespace order by 1, 2, array_position(i.indkey::int2[], c.attnum)`,
  mysql: `select table_name as \`table\`, index_name as \`key\`, column_name as \`column\`
    from information_schema.statistics
    where table_schema = database() and non_unique = 0 and index_name <> 'PRIMARY'
    order by table_name, index_name, seq_in_index`,
}

interface KeyRow {
  readonly table: string
  readonly key: string
  readonly column: string
}

/** A unique key of a table. */
export interface TableKey {
  readonly table: string
  readonly columns: readonly string[]
}

/** The unique keys of a database. */
export const uniqueKeysOf = async (root: string, url: string, db: Database): Promise<readonly TableKey[]> => {
  const dialect = /^sqlite/i.test(url) ? 'sqlite' : /^postgres/i.test(url) ? 'postgres' : 'mysql'
  const { rows } = await db.executeQuery(await rawQuery(root, QUERIES[dialect]))
  const keys = new Map<string, TableKey>()
  for (const { table, key, column } of rows as readonly KeyRow[]) {
    const name = `${table} ${key}`
    keys.set(name, { table, columns: [...(keys.get(name)?.columns ?? []), column] })
  }
  return [...keys.values()]
}
