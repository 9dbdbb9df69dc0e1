import { sql } from 'kysely'
import type { Database } from '../ambient.ts'
import type { DialectName } from '../url.ts'
import { byCodeUnit, isEdited, type SourceFile } from './files.ts'
import type { MigrationStatus } from './migration.ts'

/** Tables that record what has run. The first one is Kysely's. */
const MIGRATION_TABLE = 'kysely_migration'
export const CHECKSUM_TABLE = 'sluice_migration'
export const STEP_TABLE = 'sluice_migration_step'

/** A migration that the database says has run. */
export interface ExecutedMigration {
  readonly name: string
  readonly executedAt: Date
  readonly checksum: string | undefined
}

/** The migrations that the database has recorded. Read-only. */
export interface MigrationState {
  /** In the order in which they ran. */
  readonly executed: readonly ExecutedMigration[]
  /** Migrations that began and did not end. */
  readonly interrupted: ReadonlySet<string>
}

/** Read what has run. A database that was never migrated lacks these tables. */
export const readState = async (db: Database, dialect: DialectName): Promise<MigrationState> => {
  const rows = await rowsOf(db, dialect, MIGRATION_TABLE, ['name', 'timestamp'])
  const checksums = new Map<string, string>()
  for (const { name, checksum } of await rowsOf(db, dialect, CHECKSUM_TABLE, ['name', 'checksum'])) {
    checksums.set(`${name}`, `${checksum}`)
  }
  const steps = await rowsOf(db, dialect, STEP_TABLE, ['migration', 'direction'])
  const executed = rows
    .map(({ name, timestamp }) => ({
      name: `${name}`,
      executedAt: new Date(`${timestamp}`),
      checksum: checksums.get(`${name}`),
    }))
    .sort((a, b) => a.executedAt.getTime() - b.executedAt.getTime() || byCodeUnit(a.name, b.name))
  const executedNames = new Set(executed.map(({ name }) => name))
  const interrupted = steps.filter(
    ({ migration, direction }) => (direction === 'down') === executedNames.has(`${migration}`),
  )
  return { executed, interrupted: new Set(interrupted.map(({ migration }) => `${migration}`)) }
}

/** Files and database side by side, by name. */
export const toStatus = (files: readonly SourceFile[], state: MigrationState): MigrationStatus[] => {
  const executed = new Map(state.executed.map((migration) => [migration.name, migration]))
  const withFile = files.map(({ name, file, checksum }): MigrationStatus => {
    const run = executed.get(name)
    const isInterrupted = state.interrupted.has(name)
    if (run === undefined) return { name, file, state: isInterrupted ? 'interrupted' : 'pending' }
    const current = isInterrupted ? 'interrupted' : isEdited(run.checksum, checksum) ? 'edited' : 'executed'
    return { name, file, state: current, executedAt: run.executedAt }
  })
  const names = new Set(files.map(({ name }) => name))
  const missing = state.executed
    .filter(({ name }) => !names.has(name))
    .map(({ name, executedAt }): MigrationStatus => ({ name, state: 'missing', executedAt }))
  return [...withFile, ...missing].sort((a, b) => byCodeUnit(a.name, b.name))
}

type Row = Readonly<Record<string, unknown>>

const rowsOf = async (db: Database, dialect: DialectName, table: string, columns: string[]): Promise<Row[]> =>
  (await hasTable(db, dialect, table)) ? await db.selectFrom(table).select(columns).execute() : []

/** True if the plain name finds the table. Tables in other schemas do not count. */
const hasTable = async (db: Database, dialect: DialectName, table: string): Promise<boolean> => {
  const query = {
    sqlite: sql`select 1 from sqlite_master where type = 'table' and name = ${table}`,
    postgres: sql`select 1 where to_regclass(${table}) is not null`,
    mysql: sql`select 1 from information_schema.tables where table_schema = database() and table_name = ${table}`,
  }[dialect]
  return (await query.execute(db)).rows.length > 0
}

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
