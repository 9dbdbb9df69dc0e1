import { join } from 'node:path'
import { type Invocation, textOption } from '../command.ts'
import { CliError, configError, databaseError } from '../errors.ts'
import { importSluice, loadProjectEnv } from '../project/loader.ts'

/** A migration that ran, or would run. */
export interface MigrationRun {
  readonly name: string
  readonly direction: 'up' | 'down'
  readonly statements: readonly { readonly sql: string }[]
  readonly durationMs: number
}

/** Options of all functions that run migrations. */
interface MigrationOptions {
  readonly db: Database
  readonly folder: string
  readonly load: (file: string) => Promise<unknown>
}

/** The part of Kysely that is used; it comes from the project. */
export interface Database {
  readonly destroy: () => Promise<void>
  readonly executeQuery: (query: object) => Promise<{ readonly rows: readonly unknown[] }>
  readonly introspection: { readonly getTables: () => Promise<readonly DatabaseTable[]> }
}

/** A table as Kysely finds it in a database. */
export interface DatabaseTable {
  readonly name: string
  readonly schema?: string
  readonly isView: boolean
  readonly columns: readonly { readonly name: string; readonly dataType: string }[]
}

/**
 * The part of `sluice/database` that this command calls; it is imported from the project, so its types are declared
 * here.
 */
export interface DatabaseModule {
  readonly createDatabase: (url: string) => Database
  readonly setDatabase: (db: Database) => unknown
  readonly migrate: (options: MigrationOptions & { to?: string; dryRun: boolean }) => Promise<readonly MigrationRun[]>
  readonly rollback: (
    options: MigrationOptions & { step: number | 'all'; dryRun: boolean },
  ) => Promise<readonly MigrationRun[]>
  readonly status: (options: MigrationOptions) => Promise<readonly MigrationStatus[]>
  readonly fresh: (options: MigrationOptions) => Promise<readonly MigrationRun[]>
  readonly seed: (options: MigrationOptions) => Promise<readonly unknown[]>
}

interface MigrationStatus {
  readonly name: string
  readonly state: string
  readonly executedAt?: Date
}

/**
 * Open the database of the project, let `work` use it, and close it.
 *
 * @throws {CliError} with exit code 3 when no database is named, its driver is missing or nothing runs TypeScript;
 * 4 if the database or a migration fails.
 */
export const openDatabase = async (
  invocation: Invocation,
  root: string,
  work: (module: DatabaseModule, db: Database) => Promise<void>,
): Promise<void> => openUrl(root, await databaseUrl(invocation, root), work)

/**
 * The same for the database of a URL.
 *
 * @throws {CliError} as {@link openDatabase}
 */
export const openUrl = async (
  root: string,
  url: string,
  work: (module: DatabaseModule, db: Database) => Promise<void>,
): Promise<void> => {
  const module = (await importSluice(root, 'sluice/database')) as DatabaseModule
  const db = connect(module, url)
  module.setDatabase(db)
  const before = process.cwd()
  // A relative path of SQLite starts at the project, as it does when the project itself runs.
  process.chdir(root)
  try {
    await work(module, db)
  } catch (error) {
    throw explain(error)
  } finally {
    await db.destroy().catch(() => {})
    process.chdir(before)
  }
}

/** The URL of `--url`, the environment, then the files that the project itself loads. */
export const databaseUrl = async (invocation: Invocation, root: string): Promise<string> => {
  const given = textOption(invocation, 'url') ?? invocation.env.DATABASE_URL
  if (given !== undefined && given !== '') return given
  const { DATABASE_URL: url } = await loadProjectEnv(root)
  if (url !== undefined && url !== '') return url
  throw configError(
    `There is no database URL: set DATABASE_URL in the environment or in ${join(root, '.env')}, or use --url`,
  )
}

const connect = (module: DatabaseModule, url: string): Database => {
  try {
    return module.createDatabase(url)
  } catch (error) {
    throw configError(`DATABASE_URL cannot be read: ${(error as Error).message}`, error)
  }
}

interface Refusal {
  readonly code?: unknown
  readonly errno?: unknown
}

/** The codes of PostgreSQL and MySQL for a database that does not exist: SQLSTATE and number. */
const MISSING: readonly unknown[] = ['3D000', 1049]

/** A missing driver is a configuration error; all other errors come from the database or a migration. */
export const explain = (error: unknown): CliError => {
  if (error instanceof CliError) return error
  const { name, message, code, cause, ...rest } = error as NodeJS.ErrnoException & { file?: string; sql?: string }
  // An error of a driver may also name a file: one of the database's own C sources.
  const { file, sql } = name === 'MigrationError' ? rest : {}
  const causeCode = (cause as NodeJS.ErrnoException | undefined)?.code
  if (file === undefined && [code, causeCode].includes('ERR_MODULE_NOT_FOUND')) return configError(message, error)
  const reason = cause instanceof Error && !message.includes(cause.message) ? [`  ${cause.message}`] : []
  const where = [
    ...(file && !message.includes(file) ? [`  in ${file}`] : []),
    ...(sql && !message.includes(sql) ? [`  at ${sql}`] : []),
  ]
  const numbers = [error, cause].flatMap((each) => [(each as Refusal)?.code, (each as Refusal)?.errno])
  const hint = numbers.some((number) => MISSING.includes(number)) ? ['  sluice db:create creates it'] : []
  return databaseError([message, ...reason, ...where, ...hint].join('\n'), error)
}
