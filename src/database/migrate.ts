import { dialectOf } from '../internal/database/dialect.ts'
import { checkMigration } from '../internal/database/migration/check-options.ts'
import { dropAll } from '../internal/database/migration/drop-all.ts'
import { readSourceFiles, type SourceFile, toName } from '../internal/database/migration/files.ts'
import {
  type MigrateOptions,
  MigrationError,
  type MigrationOptions,
  type MigrationRun,
  type MigrationStatus,
  type RollbackOptions,
} from '../internal/database/migration/migration.ts'
import { runDry, runMigrations } from '../internal/database/migration/runner.ts'
import { type MigrationState, readState, toStatus } from '../internal/database/migration/state.ts'

export * from '../internal/database/migration/migration.ts'

/**
 * Run the migrations that have not run yet, in the order of the file names, up to `to`. Only one process at a time runs
 * them. On SQLite and PostgreSQL, each migration runs completely or not at all.
 *
 * @returns the migrations that ran; an empty list if the database is up to date.
 * @throws {MigrationError} with the file and the SQL if one fails. Thrown before anything runs if a migration that has
 * run was edited or is missing, or if one that has not run comes before one that has.
 * @example
 * const runs = await migrate({ db, folder: 'src/database/migrations' })
 */
export const migrate = async (options: MigrateOptions): Promise<MigrationRun[]> => {
  checkMigration('migrate', options, 'to:string dryRun:boolean')
  const run = options.dryRun ? runDry : runMigrations
  return run(options, 'up', (files, state) => pendingNames(files, state, options.to))
}

/**
 * Revert the latest migrations with their `down`.
 *
 * @returns the reverted migrations, the latest first.
 * @throws {MigrationError} before anything runs if one of them has no `down`, or its file is missing.
 * @example
 * await rollback({ db, folder: 'src/database/migrations', step: 2 })
 */
export const rollback = async (options: RollbackOptions): Promise<MigrationRun[]> => {
  checkMigration('rollback', options, 'step dryRun:boolean')
  const { step = 1 } = options
  if (step !== 'all' && (!Number.isSafeInteger(step) || step < 1)) {
    throw new RangeError(`rollback: step: expected a whole number of at least 1 or 'all', got ${step}`)
  }
  const count = step === 'all' ? Number.POSITIVE_INFINITY : step
  const run = options.dryRun ? runDry : runMigrations
  return run(options, 'down', (_, { executed }) => {
    const names = executed.map(({ name }) => name)
    return names.reverse().slice(0, count)
  })
}

/**
 * Which migrations have run, which have not, and which do not match their files, by name. Changes nothing.
 *
 * @example
 * const pending = (await status({ db, folder })).filter(({ state }) => state === 'pending')
 */
export const status = async (options: Pick<MigrationOptions, 'db' | 'folder'>): Promise<MigrationStatus[]> => {
  checkMigration('status', options)
  const { db, folder } = options
  return toStatus(await readSourceFiles(folder), await readState(db, dialectOf(db)))
}

/**
 * Drop every table and view of the database (of the current schema, on PostgreSQL), then run all migrations.
 *
 * @example
 * await fresh({ db, folder: 'src/database/migrations' })
 */
export const fresh = async (options: MigrationOptions): Promise<MigrationRun[]> => {
  checkMigration('fresh', options)
  await dropAll(options)
  return migrate(options)
}

const pendingNames = (files: readonly SourceFile[], state: MigrationState, to: string | undefined): string[] => {
  const all = toStatus(files, state)
  const missing = all.find((migration) => migration.state === 'missing')
  if (missing) throw new MigrationError('missing', `${missing.name} has run, but its file is gone: restore it`)
  const edited = all.find((migration) => migration.state === 'edited')
  if (edited) {
    const text = `${edited.name} was changed after it had run: restore it and write a new migration for the change`
    throw new MigrationError('edited', text, edited)
  }
  const pending = all.filter(({ executedAt }) => executedAt === undefined)
  const last = all.findLast(({ executedAt }) => executedAt !== undefined)
  const late = pending.find(({ name }) => last !== undefined && name < last.name)
  if (late) {
    const text = `${late.name} has not run, but comes before ${last?.name}, which has: give it a newer timestamp`
    throw new MigrationError('order', text, late)
  }
  const unstamped = pending.find(({ name }) => !/^\d/.test(name))
  if (unstamped && all.some(({ name }) => /^\d/.test(name))) {
    const text = 'has no timestamp in front of its name, so every later migration would come before it: add one'
    throw new MigrationError('order', `${unstamped.name} ${text}`, unstamped)
  }
  const names = pending.map(({ name }) => name)
  if (to === undefined) return names
  const target = toName(to)
  if (!all.some(({ name }) => name === target)) throw new MigrationError('unknown', `There is no migration ${target}`)
  return names.filter((name) => name <= target)
}
