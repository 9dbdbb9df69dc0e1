import { type Database, withDatabase } from '../ambient.ts'
import { type DialectName, dialectOf } from '../dialect.ts'
import { holdConnection, noConnection, onConnection } from '../driver/single-connection.ts'
import { byCodeUnit, importFile, type LoadedMigration, loadAll, readSourceFiles, type SourceFile } from './files.ts'
import { createJournal, type Journal } from './journal.ts'
import { withMigrationLock } from './lock.ts'
import { MigrationError, type MigrationOptions, type MigrationRun } from './migration.ts'
import { createRecorder, type Recorder, toMigrationError } from './recorder.ts'
import { CHECKSUM_TABLE, createTables, currentSchema, type MigrationState, readState } from './state.ts'

type Direction = 'up' | 'down'

/** Chooses which migrations run, from the files of the folder and what the database has recorded. */
export type ChooseNames = (files: readonly SourceFile[], state: MigrationState) => readonly string[]

/** Run migrations one by one, each in its own transaction if the database can roll back DDL. */
export const runMigrations = async (
  { db, folder, load = importFile, lockTimeoutMs = 60_000 }: MigrationOptions,
  direction: Direction,
  choose: ChooseNames,
): Promise<MigrationRun[]> => {
  const dialect = dialectOf(db)
  const files = await readSourceFiles(folder)
  return holdConnection(db, (connection) =>
    withMigrationLock(dialect, connection, lockTimeoutMs, async () => {
      const journal = dialect === 'mysql' ? createJournal(connection) : undefined
      const recorder = createRecorder(journal?.step)
      const inTransaction = dialect === 'sqlite'
      const single = onConnection({ db, dialect, connection, watch: recorder.watch, inTransaction })
      const state = await readState(single, dialect)
      const migrations = await loadAll(files, choose(files, state), direction, load)
      if (migrations.length > 0) await createTables(single, dialect)
      const names = new Set([...files, ...state.executed].map(({ name }) => name))
      const completed: MigrationRun[] = []
      for (const migration of migrations) {
        const { name, file } = migration
        const context = { single, dialect, names, recorder, journal, completed }
        const migrator = await createMigrator(context, migration, direction)
        const begin = performance.now()
        const { error, results = [] } = await (direction === 'up' ? migrator.migrateUp() : migrator.migrateDown())
        // A migration may throw undefined
        if (error !== undefined || results[0]?.status === 'Error')
          throw toMigrationError(file, error, recorder, completed)
        if (results.length === 0)
          throw new MigrationError('order', `Expected to run ${name}, but nothing was left to run`, { file, completed })
        await journal?.close()
        const durationMs = performance.now() - begin
        completed.push({ name, file, direction, statements: recorder.statements(), durationMs })
      }
      return completed
    }),
  )
}

/** Run the functions on a database that records every statement and returns no rows. */
export const runDry = async (
  { db, folder, load = importFile }: MigrationOptions,
  direction: Direction,
  choose: ChooseNames,
): Promise<MigrationRun[]> => {
  const dialect = dialectOf(db)
  const files = await readSourceFiles(folder)
  const names = choose(files, await readState(db, dialect))
  const completed: MigrationRun[] = []
  for (const { name, file, run } of await loadAll(files, names, direction, load)) {
    const recorder = createRecorder()
    const { watch } = recorder
    const single = onConnection({ db, dialect, connection: noConnection, watch, inTransaction: false })
    const begin = performance.now()
    try {
      await withDatabase(single, () => recorder.record(async () => run(single.schema, single)))
    } catch (error) {
      throw toMigrationError(file, error, recorder, completed)
    }
    const durationMs = performance.now() - begin
    completed.push({ name, file, direction, statements: recorder.statements(), durationMs })
  }
  return completed
}

interface RunContext {
  readonly single: Database
  readonly dialect: DialectName
  /** The names of all migrations. */
  readonly names: ReadonlySet<string>
  readonly recorder: Recorder
  readonly journal: Journal | undefined
  readonly completed: readonly MigrationRun[]
}

/** The part of Kysely's Migrator that is used. Its own types are in different modules of 0.28 and 0.29. */
interface Migrator {
  migrateUp(): Promise<MigratorResult>
  migrateDown(): Promise<MigratorResult>
}

interface MigratorResult {
  readonly error?: unknown
  readonly results?: readonly { readonly status: string }[]
}

type MigratorModule = { readonly Migrator?: new (options: object) => Migrator }

/** Kysely has its Migrator here from 0.29 on. A constant hides the name from bundlers: 0.28 has no such module. */
const MIGRATION_MODULE = 'kysely/migration'

/** Kysely's Migrator. It must know the name of every migration, but can run only this one. */
const createMigrator = async (
  { single, dialect, names, recorder, journal, completed }: RunContext,
  { name, file, checksum, run, inTransaction }: LoadedMigration,
  direction: Direction,
): Promise<Migrator> => {
  const step = async (chosen: string, db: Database): Promise<void> => {
    if (chosen !== name) {
      const text = `Expected to run ${name}, but it is the turn of ${chosen}`
      throw new MigrationError('order', text, { file, completed })
    }
    await journal?.open(name, direction)
    await withDatabase(db, () => recorder.record(async () => run(db.schema, db)))
    await db.deleteFrom(CHECKSUM_TABLE).where('name', '=', name).execute()
    if (direction === 'up') await db.insertInto(CHECKSUM_TABLE).values({ name, checksum }).execute()
  }
  const steps = Array.from(names, (each) => [each, { [direction]: (db: Database) => step(each, db) }])
  const schema = dialect === 'postgres' ? await currentSchema(single) : undefined
  const main = (await import('kysely')) as MigratorModule
  const { Migrator } = main.Migrator ? main : await import(/* @vite-ignore */ MIGRATION_MODULE)
  return new Migrator({
    db: single,
    provider: { getMigrations: async () => Object.fromEntries(steps) },
    nameComparator: byCodeUnit,
    // The order was checked by name. Kysely compares times, which come from the clocks of several machines
    allowUnorderedMigrations: true,
    disableTransactions: dialect === 'postgres' && !inTransaction,
    ...(schema !== undefined && { migrationTableSchema: schema }),
  })
}
