import { type Database, withDatabase } from '../ambient.ts'
import { dialectOf } from '../dialect.ts'
import { holdConnection, onConnection } from '../driver/single-connection.ts'
import type { DialectName } from '../url.ts'
import { byCodeUnit, importFile, type LoadedMigration, loadAll, readSourceFiles, type SourceFile } from './files.ts'
import { createJournal, type Journal } from './journal.ts'
import { withMigrationLock } from './lock.ts'
import { type LoadFile, MigrationError, type MigrationOptions, type MigrationRun } from './migration.ts'
import { createRecorder, type Recorder, toMigrationError } from './recorder.ts'
import { CHECKSUM_TABLE, createTables, currentSchema, type MigrationState, readState } from './state.ts'
import { createStepMigrator, type Step, type StepMigrator } from './step-migrator.ts'

/** What can be done while the lock is held. */
export interface Runner {
  readonly files: readonly SourceFile[]
  readonly state: MigrationState
  /** Run these one by one, in this order, each in its own transaction if the database can roll back DDL. */
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
      const single = onConnection({ db, dialect, connection, watch: recorder.watch, inTransaction })
      const state = await readState(single, dialect)
      const run: Runner['run'] = (direction, names) => {
        return runAll({ single, dialect, files, state, load, recorder, journal }, direction, names)
      }
      return work({ files, state, run })
    }),
  )
}

interface RunContext {
  readonly single: Database
  readonly dialect: DialectName
  readonly files: readonly SourceFile[]
  readonly state: MigrationState
  readonly load: LoadFile
  readonly recorder: Recorder
  readonly journal: Journal | undefined
}

const runAll = async (
  context: RunContext,
  direction: 'up' | 'down',
  names: readonly string[],
): Promise<MigrationRun[]> => {
  const modules = await loadAll(context.files, names, direction, context.load)
  if (names.length > 0) await createTables(context.single, context.dialect)
  const completed: MigrationRun[] = []
  for (const [name, { file, inTransaction }] of modules) {
    const migrator = await createMigrator(context, modules, direction, inTransaction)
    const begin = performance.now()
    const { error, results } = await (direction === 'up' ? migrator.migrateUp() : migrator.migrateDown())
    // A migration may throw undefined
    if (error !== undefined || results?.[0]?.status === 'Error')
      throw toMigrationError(file, error, context.recorder, completed)
    if (results?.[0]?.migrationName !== name) {
      throw new MigrationError('order', `Expected to run ${name}, but ran ${results?.[0]?.migrationName}`, {
        file,
        completed,
      })
    }
    await context.journal?.close()
    completed.push({
      name,
      file,
      direction,
      statements: context.recorder.statements(),
      durationMs: performance.now() - begin,
    })
  }
  return completed
}

/** Kysely's Migrator. It must know the name of every migration, but only those that were loaded can run. */
const createMigrator = async (
  { single, dialect, files, state, recorder, journal }: RunContext,
  modules: ReadonlyMap<string, LoadedMigration>,
  direction: 'up' | 'down',
  inTransaction: boolean,
): Promise<StepMigrator> => {
  const step = async (name: string, db: Database): Promise<void> => {
    const loaded = modules.get(name)
    if (loaded === undefined) throw new MigrationError('order', `${name} was not meant to run`)
    await journal?.open(name, direction)
    await withDatabase(db, () => recorder.record(async () => loaded.run(db.schema, db)))
    await db.deleteFrom(CHECKSUM_TABLE).where('name', '=', name).execute()
    if (direction === 'up') await db.insertInto(CHECKSUM_TABLE).values({ name, checksum: loaded.checksum }).execute()
  }
  const names = new Set([...files, ...state.executed].map(({ name }) => name))
  const migrations: Record<string, Step> = {}
  for (const name of names) migrations[name] = { up: (db) => step(name, db), down: (db) => step(name, db) }
  const schema = dialect === 'postgres' ? await currentSchema(single) : undefined
  return createStepMigrator({
    db: single,
    provider: { getMigrations: async () => migrations },
    nameComparator: byCodeUnit,
    // The order was checked by name. Kysely compares times, which come from the clocks of several machines.
    allowUnorderedMigrations: true,
    disableTransactions: dialect === 'postgres' && !inTransaction,
    ...(schema !== undefined && { migrationTableSchema: schema }),
  })
}
