import { basename } from 'node:path'
import { withDatabase } from './connect.ts'
import { dialectOf } from './dialect.ts'
import {
  type MigrateOptions,
  MigrationError,
  type MigrationOptions,
  type MigrationRun,
  type MigrationStatus,
  type RollbackOptions,
} from './migration.ts'
import { importFile, readSourceFiles, type SourceFile, withoutExtension } from './migration-files.ts'
import { loadAll } from './migration-load.ts'
import { type Runner, withRunner } from './migration-runner.ts'
import { type MigrationState, readState, toStatus } from './migration-state.ts'
import { createRecorder, toMigrationError } from './recorder.ts'
import { createSession, noConnection } from './session.ts'

/**
 * Run what has not run yet, in the order of the file names, up to `to`. One process at a time; each migration as a whole
 * or, on SQLite and PostgreSQL, not at all.
 *
 * @returns what ran; nothing when the database is up to date.
 * @throws {MigrationError} naming file and SQL if one fails, and before anything runs if a file that has run was edited or
 * is gone, or if one that has not run comes before one that has.
 * @example
 * const runs = await migrate({ db, folder: 'src/database/migrations' })
 */
export const migrate = async (options: MigrateOptions): Promise<MigrationRun[]> => {
  const choose = ({ files, state }: Known): string[] => pendingNames(files, state, options.to)
  if (options.dryRun) return rehearse(options, 'up', choose)
  return withRunner(options, (runner) => runner.run('up', choose(runner)))
}

/**
 * Undo the latest migrations by their `down`.
 *
 * @returns what was undone, the latest first.
 * @throws {MigrationError} before anything runs if one of them has no `down` or its file is gone.
 * @example
 * await rollback({ db, folder: 'src/database/migrations', step: 2 })
 */
export const rollback = async (options: RollbackOptions): Promise<MigrationRun[]> => {
  const { step = 1, dryRun = false } = options
  if (step !== 'all' && (!Number.isSafeInteger(step) || step < 1)) {
    throw new RangeError(`step: expected a whole number of at least 1 or 'all', got ${step}`)
  }
  const count = step === 'all' ? Number.POSITIVE_INFINITY : step
  const choose = ({ state }: Known): string[] =>
    state.executed
      .map(({ name }) => name)
      .reverse()
      .slice(0, count)
  if (dryRun) return rehearse(options, 'down', choose)
  return withRunner(options, (runner) => runner.run('down', choose(runner)))
}

/**
 * What has run, what has not, and what does not fit, by name. Changes nothing.
 *
 * @example
 * const pending = (await status({ db, folder })).filter(({ state }) => state === 'pending')
 */
export const status = async ({ db, folder }: Pick<MigrationOptions, 'db' | 'folder'>): Promise<MigrationStatus[]> =>
  toStatus(await readSourceFiles(folder), await readState(db, dialectOf(db)))

type Known = Pick<Runner, 'files' | 'state'>

const pendingNames = (files: readonly SourceFile[], state: MigrationState, to: string | undefined): string[] => {
  const all = toStatus(files, state)
  const gone = all.find((migration) => migration.state === 'missing')
  if (gone) {
    throw new MigrationError('missing', `${gone.name} has run, but its file is gone: restore it`)
  }
  const edited = all.find((migration) => migration.state === 'edited')
  if (edited) {
    const text = `${edited.name} was changed after it had run: restore it and write a new migration for the change`
    throw new MigrationError('edited', text, { file: edited.file })
  }
  const names = all.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name)
  const last = all.findLast(({ executedAt }) => executedAt !== undefined)
  const late = all.find(({ name, executedAt }) => executedAt === undefined && last !== undefined && name < last.name)
  if (late) {
    const text = `${late.name} has not run, but comes before ${last?.name}, which has: give it a newer timestamp`
    throw new MigrationError('order', text, { file: late.file })
  }
  if (to === undefined) return names
  const target = withoutExtension(basename(to))
  if (!all.some(({ name }) => name === target)) throw new MigrationError('unknown', `There is no migration ${target}`)
  return names.filter((name) => name <= target)
}

/** Run the functions against a database that answers nothing and notes everything. */
const rehearse = async (
  { db, folder, load = importFile }: MigrationOptions,
  direction: 'up' | 'down',
  choose: (known: Known) => string[],
): Promise<MigrationRun[]> => {
  const dialect = dialectOf(db)
  const files = await readSourceFiles(folder)
  const names = choose({ files, state: await readState(db, dialect) })
  const runs: MigrationRun[] = []
  for (const { name, file, run } of (await loadAll(files, names, direction, load)).values()) {
    const recorder = createRecorder()
    const watch = recorder.watch
    const session = createSession({ db, dialect, connection: noConnection, watch, inTransaction: false })
    const begin = performance.now()
    try {
      await recorder.during(() => withDatabase(session, async () => run(session.schema, session)))
    } catch (error) {
      throw toMigrationError(file, error, recorder, runs)
    }
    runs.push({ name, file, direction, statements: recorder.statements(), durationMs: performance.now() - begin })
  }
  return runs
}
