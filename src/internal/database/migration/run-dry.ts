import { withDatabase } from '../ambient.ts'
import { dialectOf } from '../dialect.ts'
import { noConnection, onConnection } from '../driver/single-connection.ts'
import { importFile, loadAll, readSourceFiles } from './files.ts'
import type { MigrationOptions, MigrationRun } from './migration.ts'
import { createRecorder, toMigrationError } from './recorder.ts'
import type { Runner } from './runner.ts'
import { readState } from './state.ts'

/** What decides which migrations run: the files of the folder, and what the database has recorded. */
export type MigrationRecords = Pick<Runner, 'files' | 'state'>

/** Run the functions on a database that records every statement and returns no rows. */
export const runDry = async (
  { db, folder, load = importFile }: MigrationOptions,
  direction: 'up' | 'down',
  choose: (records: MigrationRecords) => string[],
): Promise<MigrationRun[]> => {
  const dialect = dialectOf(db)
  const files = await readSourceFiles(folder)
  const names = choose({ files, state: await readState(db, dialect) })
  const runs: MigrationRun[] = []
  for (const { name, file, run } of (await loadAll(files, names, direction, load)).values()) {
    const recorder = createRecorder()
    const watch = recorder.watch
    const single = onConnection({ db, dialect, connection: noConnection, watch, inTransaction: false })
    const begin = performance.now()
    try {
      await withDatabase(single, () => recorder.record(async () => run(single.schema, single)))
    } catch (error) {
      throw toMigrationError(file, error, recorder, runs)
    }
    runs.push({ name, file, direction, statements: recorder.statements(), durationMs: performance.now() - begin })
  }
  return runs
}
