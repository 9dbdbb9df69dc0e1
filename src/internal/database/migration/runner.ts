import { withDatabase } from '../ambient.ts'
import { type Database, dialectOf } from '../dialect.ts'
import { holdConnection, noConnection, onConnection } from '../driver/single-connection.ts'
import { byCodeUnit, importFile, type LoadedMigration, loadAll, readSourceFiles, type SourceFile } from './files.ts'
import { createJournal } from './journal.ts'
import { withMigrationLock } from './lock.ts'
import type { MigrationOptions, MigrationRun } from './migration.ts'
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
      const single = onConnection({ db, connection, watch: recorder.watch, inTransaction: dialect === 'sqlite' })
      const state = await readState(single, dialect)
      const migrations = await loadAll(files, choose(files, state), direction, load)
      if (migrations.length > 0) await createTables(single, dialect)
      const placeholders = Object.fromEntries([...files, ...state.executed].map(({ name }) => [name, {}]))
      return runEach(migrations, direction, recorder, async ({ name, checksum, run, inTransaction }) => {
        const step = async (inner: Database): Promise<void> => {
          await journal?.open(name, direction)
          await withDatabase(inner, () => recorder.record(async () => run(inner.schema, inner)))
          await inner.deleteFrom(CHECKSUM_TABLE).where('name', '=', name).execute()
          if (direction === 'up') await inner.insertInto(CHECKSUM_TABLE).values({ name, checksum }).execute()
        }
        const migrator = await createMigrator({
          db: single,
          // Kysely must know the name of every migration
          provider: { getMigrations: async () => ({ ...placeholders, [name]: { [direction]: step } }) },
          nameComparator: byCodeUnit,
          // The order was checked by name. Kysely compares times, which come from the clocks of several machines
          allowUnorderedMigrations: true,
          disableTransactions: dialect === 'postgres' && !inTransaction,
          migrationTableSchema: dialect === 'postgres' ? await currentSchema(single) : undefined,
        })
        const { error, results } = await (direction === 'up' ? migrator.migrateUp() : migrator.migrateDown())
        if (results?.[0]?.status !== 'Success') throw error
        await journal?.close()
      })
    }),
  )
}

/** Run the functions on a database that records every statement and returns no rows. */
export const runDry = async (
  { db, folder, load = importFile }: MigrationOptions,
  direction: Direction,
  choose: ChooseNames,
): Promise<MigrationRun[]> => {
  const files = await readSourceFiles(folder)
  const names = choose(files, await readState(db, dialectOf(db)))
  const recorder = createRecorder()
  const single = onConnection({ db, connection: noConnection, watch: recorder.watch, inTransaction: false })
  return runEach(await loadAll(files, names, direction, load), direction, recorder, ({ run }) =>
    withDatabase(single, () => recorder.record(async () => run(single.schema, single))),
  )
}

const runEach = async (
  migrations: readonly LoadedMigration[],
  direction: Direction,
  recorder: Recorder,
  runOne: (migration: LoadedMigration) => Promise<unknown>,
): Promise<MigrationRun[]> => {
  const completed: MigrationRun[] = []
  for (const migration of migrations) {
    const { name, file } = migration
    const begin = performance.now()
    try {
      await runOne(migration)
    } catch (error) {
      throw toMigrationError(file, error, recorder, completed)
    }
    const durationMs = performance.now() - begin
    completed.push({ name, file, direction, statements: recorder.statements(), durationMs })
  }
  return completed
}

/** The part of Kysely's Migrator that is used. Its own types are in different modules of 0.28 and 0.29. */
type Migrator = Readonly<Record<'migrateUp' | 'migrateDown', () => Promise<MigratorResult>>>

type MigratorResult = { readonly error?: unknown; readonly results?: readonly { readonly status: string }[] }

type MigratorModule = { readonly Migrator?: new (options: object) => Migrator }

/** Kysely has its Migrator here from 0.29 on. A constant hides the name from bundlers: 0.28 has no such module. */
const MIGRATION_MODULE = 'kysely/migration'

const createMigrator = async (options: object): Promise<Migrator> => {
  const main = (await import('kysely')) as MigratorModule
  const { Migrator } = main.Migrator ? main : await import(/* @vite-ignore */ MIGRATION_MODULE)
  return new Migrator(options)
}
