import { sql } from 'kysely'
import type { Database } from '../ambient.ts'
import type { DialectName } from '../url.ts'
import { CHECKSUM_TABLE, STEP_TABLE } from './state.ts'

/** The schema in which Kysely looks for its tables. Without it, a table of the same name in another schema is taken. */
export const currentSchema = async (db: Database): Promise<string | undefined> => {
  const { rows } = await sql<{ name: string | null }>`select current_schema() as name`.execute(db)
  return rows[0]?.name ?? undefined
}

/** Create our own tables, in addition to those of Kysely. */
export const createTables = async (db: Database, dialect: DialectName): Promise<void> => {
  await db.schema
    .createTable(CHECKSUM_TABLE)
    .ifNotExists()
    .addColumn('name', 'varchar(255)', (column) => column.primaryKey())
    .addColumn('checksum', 'varchar(255)', (column) => column.notNull())
    .execute()
  if (dialect !== 'mysql') return
  await db.schema
    .createTable(STEP_TABLE)
    .ifNotExists()
    .addColumn('migration', 'varchar(255)', (column) => column.notNull())
    .addColumn('direction', 'varchar(4)', (column) => column.notNull())
    .addColumn('step', 'integer', (column) => column.notNull())
    .addColumn('hash', 'char(64)', (column) => column.notNull())
    .addColumn('state', 'varchar(8)', (column) => column.notNull())
    .addPrimaryKeyConstraint('sluice_migration_step_key', ['migration', 'direction', 'step'])
    .execute()
}
