import { CompiledQuery, type DatabaseConnection } from 'kysely'
import type { DialectName } from '../dialect.ts'
import { kindOf, messageOf } from '../error/database-error.ts'
import { MigrationError } from './migration.ts'

type Query = (sql: string) => Promise<unknown>

interface Lock {
  /** True if this connection now has the lock. Returns soon in any case. */
  readonly acquire: (query: Query) => Promise<boolean>
  readonly release: (query: Query) => Promise<unknown>
}

/**
 * Run the work while no other process migrates this database. The lock belongs to the connection, so a process that is
 * killed loses it.
 *
 * @throws {MigrationError} `locked` if another process has the lock for longer than the timeout.
 */
export const withMigrationLock = async <T>(
  dialect: DialectName,
  connection: DatabaseConnection,
  timeoutMs: number,
  work: () => Promise<T>,
): Promise<T> => {
  const lock = LOCKS[dialect]
  const query: Query = async (sql) => {
    const { rows } = await connection.executeQuery(CompiledQuery.raw(sql))
    return Object.values(Object(rows[0]))[0]
  }
  const until = Date.now() + timeoutMs
  while (!(await lock.acquire(query))) {
    if (Date.now() >= until) {
      throw new MigrationError('locked', `Another process is migrating this database (waited ${timeoutMs} ms)`)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const result = await work().catch(async (error) => {
    // The error of the work is thrown, even if the release fails as well
    await lock.release(query).catch(() => {})
    throw error
  })
  await lock.release(query)
  return result
}

/** "sluice" in ASCII. Advisory locks of PostgreSQL belong to one database. */
const POSTGRES_KEY = '126943972287333'

/** Locks of MySQL belong to the whole server, and their names have at most 64 characters. */
const MYSQL_NAME = `concat('sluice-migrate-', md5(coalesce(database(), '')))`

const LOCKS: Readonly<Record<DialectName, Lock>> = {
  postgres: {
    acquire: async (query) => (await query(`select pg_try_advisory_lock(${POSTGRES_KEY})`)) === true,
    release: (query) => query(`select pg_advisory_unlock(${POSTGRES_KEY})`),
  },
  mysql: {
    acquire: async (query) => Number(await query(`select get_lock(${MYSQL_NAME}, 0)`)) === 1,
    release: (query) => query(`select release_lock(${MYSQL_NAME})`),
  },
  // A write transaction around the whole run is the lock. Each migration is a savepoint in it
  sqlite: {
    acquire: async (query) => {
      const busyTimeoutMs = Number(await query('pragma busy_timeout'))
      await query('pragma busy_timeout = 0')
      try {
        await query('begin immediate')
        return true
      } catch (error) {
        if (kindOf(error) === 'busy') return false
        throw new MigrationError('failed', messageOf(error), { cause: error })
      } finally {
        await query(`pragma busy_timeout = ${busyTimeoutMs}`)
      }
    },
    release: async (query) => {
      try {
        await query('commit')
      } catch (error) {
        // For example, a deferred foreign key refers to nothing. If the transaction stayed open, every later statement
        // of the connection would join it
        await query('rollback')
        throw new MigrationError('failed', `No migration of this run was kept: ${messageOf(error)}`, { cause: error })
      }
    },
  },
}
