import { access, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { SqliteDatabase, SqliteStatement } from 'kysely'
import { kindOf, toDatabaseError } from '../error/database-error.ts'
import { isMissing, loadDriver } from './load-driver.ts'

/** The part of `DatabaseSync` that is used. Node, Deno, Bun and `@photostructure/sqlite` have it. */
interface DatabaseSync {
  exec(sql: string): unknown
  prepare(sql: string): StatementSync
  close(): void
}
interface StatementSync {
  all(...values: unknown[]): unknown[]
  run(...values: unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint }
  iterate(...values: unknown[]): IterableIterator<unknown>
  setReadBigInts?(on: boolean): void
  columns?(): readonly unknown[]
  /** What `columns()` returns, on Bun. */
  readonly columnNames?: readonly string[]
}

/**
 * Open a SQLite file with `bun:sqlite`, `node:sqlite` or `@photostructure/sqlite`: the first that this runtime has.
 * Makes the folder of the file, enforces foreign keys, uses a write-ahead log, and waits for another writer.
 *
 * @throws {Error} that names the package to install, if the runtime has no SQLite.
 */
export const openSqlite = async (file: string, busyTimeoutMs: number): Promise<SqliteDatabase> => {
  const database = await openFile(file).catch((error) => {
    throw toDatabaseError(error)
  })
  try {
    database.exec(`pragma busy_timeout = ${busyTimeoutMs}`)
    database.exec('pragma foreign_keys = on')
    await useWriteAheadLog(database, Date.now() + busyTimeoutMs)
  } catch (error) {
    database.close()
    throw error
  }
  return { close: () => database.close(), prepare: (sql) => toKyselyStatement(database.prepare(sql), sql) }
}

const openFile = async (file: string): Promise<DatabaseSync> => {
  if (file !== ':memory:') await makeFolder(dirname(file))
  if (process.versions.bun) {
    type BunModule = { readonly Database: new (file: string, options: object) => DatabaseSync }
    const { Database } = await importBuiltin<BunModule>('bun:sqlite')
    return new Database(file, { create: true, readwrite: true, safeIntegers: true })
  }
  const { DatabaseSync } = await importSqlite()
  return new DatabaseSync(file)
}

/** Make a folder and its parents. Node's recursive `mkdir` never returns for a folder in `/proc`. */
const makeFolder = (path: string): Promise<void> =>
  access(path).catch(async () => {
    const above = dirname(path)
    // A drive that does not exist has no parent folder
    if (above !== path) await makeFolder(above)
    await mkdir(path).catch((error) =>
      // Another process may have made it meanwhile
      access(path).catch(() => {
        throw error
      }),
    )
  })

type SqliteModule = { readonly DatabaseSync: new (file: string) => DatabaseSync }

const importSqlite = (): Promise<SqliteModule> =>
  importBuiltin<SqliteModule>('node:sqlite').catch(async (error) => {
    if (!isMissing(error, 'node:sqlite')) throw error
    const title = `SQLite on Node ${process.versions.node} (built in from 22.13 on)`
    return (await loadDriver('@photostructure/sqlite', title, () => import('@photostructure/sqlite'))) as SqliteModule
  })

/** Bundlers cannot follow a name in a variable. The module exists on one runtime only. */
const importBuiltin = async <T>(name: string): Promise<T> => (await import(/* @vite-ignore */ name)) as T

/** Retries, because the switch locks the whole file and does not always wait for `busy_timeout`. */
const useWriteAheadLog = async (database: DatabaseSync, until: number): Promise<void> => {
  for (;;) {
    try {
      return void database.exec('pragma journal_mode = wal')
    } catch (error) {
      if (kindOf(error) !== 'busy' || Date.now() > until) throw error
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

/** Matches statements that return rows, for versions of Node 22 whose statements do not say so. */
const READS = /^\s*(?:select|with|values|pragma|explain)\b|\breturning\b/i

const toKyselyStatement = (statement: StatementSync, sql: string): SqliteStatement => {
  statement.setReadBigInts?.(true)
  const columns = statement.columnNames ?? statement.columns?.()
  return {
    reader: columns ? columns.length > 0 : READS.test(sql),
    all: (values) => statement.all(...values).map(toSafeRow),
    run: (values) => statement.run(...values),
    iterate: function* (values) {
      for (const row of statement.iterate(...values)) yield toSafeRow(row)
    },
  }
}

/** Integers are read as bigint, so that they keep their digits. */
const toSafeRow = (row: unknown): unknown => {
  const safe: Record<string, unknown> = {}
  for (const [name, cell] of Object.entries(Object(row))) {
    safe[name] = typeof cell === 'bigint' ? toSafeInteger(cell) : cell
  }
  return safe
}

/** The integer as a number if a number is exact, otherwise its digits as a string. */
export const toSafeInteger = (value: bigint): number | string => {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value.toString()
}
