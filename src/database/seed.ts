import { holdConnection, onConnection } from '../internal/database/driver/single-connection.ts'
import { checkMigration } from '../internal/database/migration/check-options.ts'
import { importFile, isFunction, loadExports, readSourceFiles } from '../internal/database/migration/files.ts'
import { MigrationError, type MigrationOptions, type MigrationRun } from '../internal/database/migration/migration.ts'
import { createRecorder, toMigrationError } from '../internal/database/migration/recorder.ts'

/** Options of {@link seed}. */
export interface SeedOptions extends Pick<MigrationOptions, 'db' | 'load'> {
  /** Folder of the seed files, such as `src/database/seeds`. */
  readonly folder: string
}

/** One seed file that ran. */
export type SeedRun = Pick<MigrationRun, 'name' | 'file' | 'durationMs'>

/**
 * Run the seed files in the order of their names, each in its own transaction, which models use.
 *
 * @returns the seeds that ran.
 * @throws {MigrationError} with the file and the SQL; the transaction of that file is rolled back.
 * @example
 * await seed({ db, folder: 'src/database/seeds' })
 */
export const seed = async (options: SeedOptions): Promise<SeedRun[]> => {
  checkMigration('seed', options)
  const { db, folder, load = importFile } = options
  const files = await readSourceFiles(folder)
  const runs: SeedRun[] = []
  for (const source of files) {
    const { name, file } = source
    const run = (await loadExports(source, load))('seed')
    if (!isFunction(run)) throw new MigrationError('invalid', `${name} exports no function seed(db)`, { file })
    const recorder = createRecorder()
    const begin = performance.now()
    await holdConnection(db, async (connection) => {
      const single = onConnection({ db, connection, watch: recorder.watch, inTransaction: false })
      await single.transaction().execute((inner) => recorder.record(async () => run(inner)))
    }).catch((error) => {
      throw toMigrationError(file, error, recorder)
    })
    runs.push({ name, file, durationMs: performance.now() - begin })
  }
  return runs
}
