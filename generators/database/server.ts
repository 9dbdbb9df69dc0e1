import { pathToFileURL } from 'node:url'
import { configError, usageError } from '../errors.ts'
import { importSluice, resolveFrom } from '../project/loader.ts'
import { type DatabaseModule, explain } from './database.ts'

/** The part of Kysely that is used; it comes from the project. */
interface Kysely {
  readonly CompiledQuery: { readonly raw: (sql: string) => object }
}

/** A database on a server, and the database to connect to while it does not exist. */
export interface Server {
  readonly url: string
  readonly name: string
  /** The name, quoted for SQL. */
  readonly quoted: string
  readonly isPostgres: boolean
}

/**
 * Read the URL of a database on a server.
 *
 * @throws {CliError} with exit code 3 if it is not a URL, 2 for a name with other characters than letters, digits, `_`
 * and `-`.
 */
export const serverOf = (text: string): Server => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const name = decodeURIComponent(url?.pathname.slice(1) ?? '')
  if (url === undefined) throw configError('DATABASE_URL is not a URL')
  if (!/^[A-Za-z_][\w-]{0,62}$/.test(name)) {
    throw usageError(`${JSON.stringify(name)} is not a name for a database: letters, digits, "_" and "-", at most 63`)
  }
  const isPostgres = /^postgres(?:ql)?:$/.test(url.protocol)
  url.pathname = isPostgres ? '/postgres' : '/'
  return { url: url.href, name, quoted: isPostgres ? `"${name}"` : `\`${name}\``, isPostgres }
}

/** The codes of PostgreSQL and MySQL for a database that already exists: SQLSTATE and number. */
const EXISTS: readonly unknown[] = ['42P04', 1007]

/** Create the database. @returns false if it already exists */
export const createOnServer = async (root: string, server: Server): Promise<boolean> => {
  try {
    await runOnServer(root, server, `create database ${server.quoted}`)
    return true
  } catch (error) {
    const { code, errno } = error as { code?: unknown; errno?: unknown }
    if (EXISTS.includes(code) || EXISTS.includes(errno)) return false
    throw explain(error)
  }
}

const runOnServer = async (root: string, { url }: Server, sql: string): Promise<void> => {
  const { createDatabase } = (await importSluice(root, 'sluice/database')) as DatabaseModule
  const db = createDatabase(url)
  try {
    await db.executeQuery(await rawQuery(root, sql))
  } finally {
    await db.destroy().catch(() => {})
  }
}

/** A raw query of the project's Kysely. */
export const rawQuery = async (root: string, sql: string): Promise<object> => {
  const path = resolveFrom(root, 'kysely')
  if (path === undefined) throw configError('Databases need the package kysely: npm install kysely')
  const { CompiledQuery } = (await import(pathToFileURL(path).href)) as Kysely
  return CompiledQuery.raw(sql)
}
