import { join } from 'node:path'
import type { Database } from '../../src/database.ts'
import { type Invocation, textOption } from '../command.ts'
import { CliError, configError, databaseError } from '../errors.ts'
import { importSluice, loadProjectEnv } from '../project/loader.ts'

/** The database of a project, while it is open. */
export interface OpenDatabase {
  readonly module: typeof import('../../src/database.ts')
  readonly db: Database
  readonly url: string
}

/**
 * Open the database of the project, let `work` use it, and close it.
 *
 * @throws {CliError} with exit code 3 if there is no URL, it cannot be read or its driver is missing, 4 for every error
 * of the database or a migration.
 */
export const openDatabase = async <T>(
  invocation: Invocation,
  root: string,
  work: (open: OpenDatabase) => Promise<T>,
): Promise<T> => {
  const url = await databaseUrl(invocation, root)
  const module = await importSluice(root, 'sluice/database')
  const db = connect(module, url)
  module.setDatabase(db)
  const before = process.cwd()
  // A relative path of SQLite starts at the project, as it does when the project itself runs.
  process.chdir(root)
  try {
    return await work({ module, db, url })
  } catch (error) {
    throw explain(error)
  } finally {
    await db.destroy().catch(() => {})
    process.chdir(before)
  }
}

/** The URL of `--url`, the environment, then the files that the project itself loads. */
export const databaseUrl = async (invocation: Invocation, root: string): Promise<string> => {
  const configured = textOption(invocation, 'url') ?? invocation.env.DATABASE_URL
  const url = configured || (await loadProjectEnv(root)).DATABASE_URL
  if (url) return url
  throw configError(
    `There is no database URL: set DATABASE_URL in the environment or in ${join(root, '.env')}, or use --url`,
  )
}

/** @throws {CliError} with exit code 3 for a URL that cannot be read. */
export const connect = (module: OpenDatabase['module'], url: string): Database => {
  try {
    return module.createDatabase(url)
  } catch (error) {
    throw configError(`DATABASE_URL cannot be read: ${(error as Error).message}`, error)
  }
}

/** Whether a database has refused with one of some codes: an SQLSTATE of PostgreSQL, a number of MySQL. */
export const hasCode = (error: unknown, codes: readonly unknown[]): boolean => {
  const { code, errno } = Object(error) as { code?: unknown; errno?: unknown }
  return codes.includes(code) || codes.includes(errno)
}

/** The database does not exist. */
const MISSING = ['3D000', 1049]

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
  const hint = [error, cause].some((each) => hasCode(each, MISSING)) ? ['  sluice db:create creates it'] : []
  return databaseError([message, ...reason, ...where, ...hint].join('\n'), error)
}
