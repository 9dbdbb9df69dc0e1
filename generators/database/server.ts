import { pathToFileURL } from 'node:url'
import type { CompiledQuery } from 'kysely'
import { configError, usageError } from '../errors.ts'
import { importSluice, resolveFrom } from '../project/loader.ts'
import { connect, explain, hasCode } from './database.ts'

/** A database on a server, and the database to connect to while it does not exist. */
export interface Server {
  readonly url: string
  readonly name: string
  /** The statement that creates it. */
  readonly statement: string
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
  // MariaDB has latin1 as its default before 11.6, and MySQL before 8
  const statement = `create database ${isPostgres ? `"${name}"` : `\`${name}\` character set utf8mb4`}`
  return { url: url.href, name, statement }
}

/** The database exists already. */
const EXISTS = ['42P04', 1007]

/** Create the database. @returns false if it already exists */
export const createOnServer = async (root: string, { url, statement }: Server): Promise<boolean> => {
  const db = connect(await importSluice(root, 'sluice/database'), url)
  try {
    await db.executeQuery(await rawQuery(root, statement))
    return true
  } catch (error) {
    if (hasCode(error, EXISTS)) return false
    throw explain(error)
  } finally {
    await db.destroy().catch(() => {})
  }
}

/** A raw query of the project's Kysely. */
export const rawQuery = async (root: string, sql: string): Promise<CompiledQuery> => {
  const path = resolveFrom(root, 'kysely')
  if (path === undefined) throw configError('Databases need the package kysely: npm install kysely')
  const { CompiledQuery }: typeof import('kysely') = await import(pathToFileURL(path).href)
  return CompiledQuery.raw(sql)
}
