import { basename } from 'node:path'
import { type Migration, Migrator, sql } from 'kysely'
import { type Database, withDatabase } from './connect.ts'
import { dialectOf } from './dialect.ts'
import {
  type LoadFile,
  type Migrate,
  MigrationError,
  type MigrationOptions,
  type MigrationRun,
  messageOf,
} from './migration.ts'
import { byCodeUnit, importFile, loadExport, readSourceFiles, type SourceFile } from './migration-files.ts'
import { createJournal, type Journal } from './migration-journal.ts'
import { withMigrationLock } from './migration-lock.ts'
import { CHECKSUM_TABLE, type MigrationState, readState, STEP_TABLE } from './migration-state.ts'
import { createRecorder, type Recorder } from './recorder.ts'
import { createSession, holdConnection } from './session.ts'
import type { DialectName } from './url.ts'

/** What is done under the lock. */
export interface Runner {
  readonly files: readonly SourceFile[]
  readonly state: MigrationState
  /** Run these one by one, in this order, each in a transaction of its own where the database has such. */
  readonly run: (direction: 'up' | 'down', names: readonly string[]) => Promise<MigrationRun[]>
}

/** Hold one connection and the lock, read what has run, and do the work. */
export const withRunner = async <T>(options: MigrationOptions, work: (runner: Runner) => Promise<T>): Promise<T> => {
  const { db, folder, load = importFile, lockTimeoutMs = 60_000 } = options
  const dialect = dialectOf(db)
  const files = await readSourceFiles(folder)
  return holdConnection(db, (connection) =>
    withMigrationLock(dialect, connection, lockTimeoutMs, async () => {
      const journal = dialect === 'mysql' ? createJournal(connection) : undefined
      const recorder = createRecorder(journal?.step)
      const inTransaction = dialect === 'sqlite'
      const session = createSession({ db, dialect, connection, watch: recorder.watch, inTransaction })
      const state = await readState(session, dialect)
      const run: Runner['run'] = (direction, names) => {
        return runAll({ session, dialect, files, state, load, recorder, journal }, direction, names)
      }
      return work({ files, state, run })
    }),
  )
}

interface Bench {
  readonly session: Database
  readonly dialect: DialectName
  readonly files: readonly SourceFile[]
  readonly state: MigrationState
  readonly load: LoadFile
  readonly recorder: Recorder
  readonly journal: Journal | undefined
}

const runAll = async (bench: Bench, direction: 'up' | 'down', names: readonly string[]): Promise<MigrationRun[]> => {
  const modules = await loadAll(bench.files, names, direction, bench.load)
  if (names.length > 0) await createTables(bench.session, bench.dialect)
  const migrator = await createMigrator(bench, modules, direction)
  const completed: MigrationRun[] = []
  for (const name of names) {
    const { file } = modules.get(name) as Loaded
    const begin = performance.now()
    const { error, results } = await (direction === 'up' ? migrator.migrateUp() : migrator.migrateDown())
    if (error !== undefined) throw toMigrationError(file, error, bench.recorder, completed)
    if (results?.[0]?.migrationName !== name) {
      throw new MigrationError('order', `Expected to run ${name}, but ran ${results?.[0]?.migrationName}`, {
        file,
        completed,
      })
    }
    await bench.journal?.close()
    completed.push({
      name,
      file,
      direction,
      statements: bench.recorder.statements(),
      durationMs: performance.now() - begin,
    })
  }
  return completed
}

interface Loaded extends SourceFile {
  readonly run: Migrate
}

/** All files are loaded before any of them runs, so a typing error in the last one leaves nothing half way. */
export const loadAll = async (
  files: readonly SourceFile[],
  names: readonly string[],
  direction: 'up' | 'down',
  load: LoadFile,
): Promise<ReadonlyMap<string, Loaded>> => {
  const loaded = new Map<string, Loaded>()
  for (const name of names) {
    const source = files.find((file) => file.name === name)
    if (source === undefined) throw new MigrationError('missing', `${name} has run, but its file is gone`)
    const run = (await loadExport(source, load))(direction) as Migrate | undefined
    if (run === undefined) throw lacks(source, direction)
    loaded.set(name, { ...source, run })
  }
  return loaded
}

const lacks = ({ name, file }: SourceFile, direction: 'up' | 'down'): MigrationError =>
  direction === 'up'
    ? new MigrationError('invalid', `${name} exports no function up(schema, db)`, { file })
    : new MigrationError('irreversible', `${name} exports no function down(schema, db): nothing was rolled back`, {
        file,
      })

/** Kysely's Migrator over every name that it must know, of which only those that are loaded can run. */
const createMigrator = async (
  { session, dialect, files, state, recorder, journal }: Bench,
  modules: ReadonlyMap<string, Loaded>,
  direction: 'up' | 'down',
): Promise<Migrator> => {
  const step = async (name: string, db: Database): Promise<void> => {
    const loaded = modules.get(name)
    if (loaded === undefined) throw new MigrationError('order', `${name} was not meant to run`)
    await journal?.open(name, direction)
    await recorder.during(() => withDatabase(db, async () => loaded.run(db.schema, db)))
    await db.deleteFrom(CHECKSUM_TABLE).where('name', '=', name).execute()
    if (direction === 'up') await db.insertInto(CHECKSUM_TABLE).values({ name, checksum: loaded.checksum }).execute()
  }
  const names = new Set([...files, ...state.executed].map(({ name }) => name))
  const migrations: Record<string, Migration> = {}
  for (const name of names) migrations[name] = { up: (db) => step(name, db), down: (db) => step(name, db) }
  const schema = dialect === 'postgres' ? await currentSchema(session) : undefined
  return new Migrator({
    db: session,
    provider: { getMigrations: async () => migrations },
    nameComparator: byCodeUnit,
    // The order is checked by name before; Kysely compares clocks of several machines.
    allowUnorderedMigrations: true,
    ...(schema !== undefined && { migrationTableSchema: schema }),
  })
}

/** Without it, Kysely would take a table of the same name in any other schema for its own. */
const currentSchema = async (db: Database): Promise<string | undefined> => {
  const { rows } = await sql<{ name: string | null }>`select current_schema() as name`.execute(db)
  return rows[0]?.name ?? undefined
}

const createTables = async (db: Database, dialect: DialectName): Promise<void> => {
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

/** Says the file and what the database said. */
export const toMigrationError = (
  file: string,
  error: unknown,
  recorder: Recorder,
  completed: readonly MigrationRun[] = [],
): MigrationError => {
  if (error instanceof MigrationError) return error
  const refused = recorder.refused()
  const sql = refused?.error === error ? refused?.sql : undefined
  return new MigrationError('failed', `${basename(file)} failed: ${messageOf(error)}`, {
    file,
    sql,
    completed,
    cause: error,
  })
}
