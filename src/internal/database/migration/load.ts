import { type ExportedFunction, loadExport, type SourceFile } from './files.ts'
import { type LoadFile, MigrationError } from './migration.ts'

/** A migration file with the function that is going to run. */
export interface LoadedMigration extends SourceFile {
  readonly run: ExportedFunction
  /** False if the file exports `transaction = false`. */
  readonly inTransaction: boolean
}

/** Load all files before one of them runs, so that a syntax error in the last one changes nothing. */
export const loadAll = async (
  files: readonly SourceFile[],
  names: readonly string[],
  direction: 'up' | 'down',
  load: LoadFile,
): Promise<ReadonlyMap<string, LoadedMigration>> => {
  const loaded = new Map<string, LoadedMigration>()
  for (const name of names) {
    const source = files.find((file) => file.name === name)
    if (source === undefined) throw new MigrationError('missing', `${name} has run, but its file is gone`)
    const exported = await loadExport(source, load)
    const run = exported(direction)
    if (run === undefined) throw missingExport(source, direction)
    loaded.set(name, { ...source, run, inTransaction: exported.flag('transaction') !== false })
  }
  return loaded
}

const missingExport = ({ name, file }: SourceFile, direction: 'up' | 'down'): MigrationError =>
  direction === 'up'
    ? new MigrationError('invalid', `${name} exports no function up(schema, db)`, { file })
    : new MigrationError('irreversible', `${name} exports no function down(schema, db): nothing was rolled back`, {
        file,
      })
