import { sql } from 'kysely'
import type { Database, DialectName } from '../dialect.ts'
import { byCodeUnit, isEdited, type SourceFile } from './files.ts'
import type { MigrationStatus } from './migration.ts'

/** Tables that record what has run. The first one is Kysely's. */
const MIGRATION_TABLE = 'kysely_migration'
export const CHECKSUM_TABLE = 'sluice_migration'
export const STEP_TABLE = 'sluice_migration_step'

export interface MigrationState {
  /** Migrations that ran, in this order. */
  readonly executed: readonly {
    readonly name: string
    readonly executedAt: Date
    readonly checksum: string | undefined
  }[]
  /** Migrations that began and did not end. */
  readonly interrupted: ReadonlySet<string>
}

/** Read what has run. A database that was never migrated lacks these tables. */
export const readState = async (db: Database, dialect: DialectName): Promise<MigrationState> => {
  const rows = await rowsOf(db, dialect, MIGRATION_TABLE, ['name', 'timestamp'])
  const checksumRows = await rowsOf(db, dialect, CHECKSUM_TABLE, ['name', 'checksum'])
  const steps = await rowsOf(db, dialect, STEP_TABLE, ['migration', 'direction'])
  const checksums = new Map(checksumRows.map(({ name, checksum }) => [name, checksum]))
  const executed = rows
    .map(({ name, timestamp }) => ({ name, executedAt: new Date(timestamp), checksum: checksums.get(name) }))
    .sort((a, b) => a.executedAt.getTime() - b.executedAt.getTime() || byCodeUnit(a.name, b.name))
  const executedNames = new Set(executed.map(({ name }) => name))
  const interrupted = steps.filter(
    ({ migration, direction }) => (direction === 'down') === executedNames.has(migration),
  )
  return { executed, interrupted: new Set(interrupted.map(({ migration }) => migration)) }
}

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

/** The rows of a table; none if its plain name finds no table. Tables in other schemas do not count. */
const rowsOf = async <C extends string>(
  db: Database,
  dialect: DialectName,
  table: string,
  columns: C[],
): Promise<Record<C, string>[]> => {
  const tables = {
    sqlite: sql`select 1 from sqlite_master where type = 'table' and name = ${table}`,
    postgres: sql`select 1 where to_regclass(${table}) is not null`,
    mysql: sql`select 1 from information_schema.tables where table_schema = database() and table_name = ${table}`,
  }
  const { rows } = await tables[dialect].execute(db)
  return rows.length > 0 ? await db.selectFrom(table).select(columns).$castTo<Record<C, string>>().execute() : []
}

/** The schema in which Kysely looks for its tables. Without it, a table of the same name in another schema is taken. */
export const currentSchema = async (db: Database): Promise<string | undefined> => {
  const { rows } = await sql<{ name: string | null }>`select current_schema() as name`.execute(db)
  return rows[0]?.name ?? undefined
}

/** Kysely creates its own tables. */
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
