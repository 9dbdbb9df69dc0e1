import { CompiledQuery, type DatabaseConnection } from 'kysely'
import { isBusy } from '../driver/sqlite-open.ts'
import { messageOf } from '../error/database-error.ts'
import type { DialectName } from '../url.ts'
import { MigrationError } from './migration.ts'

/** How a database takes and releases a lock. The lock ends with its connection. */
interface Lock {
  /** True if this connection now has the lock. Returns soon in any case. */
  readonly acquire: (connection: DatabaseConnection) => Promise<boolean>
  readonly release: (connection: DatabaseConnection) => Promise<void>
}

/**
 * Run the work while no other process migrates this database. The connection must be kept all the time, because the
 * lock belongs to it: a process that is killed loses it.
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
  const until = Date.now() + timeoutMs
  while (!(await lock.acquire(connection))) {
    if (Date.now() >= until) {
      throw new MigrationError('locked', `Another process is migrating this database (waited ${timeoutMs} ms)`)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const result = await work().catch(async (error) => {
    // The error of the work is thrown, even if the release fails as well
    await lock.release(connection).catch(() => {})
    throw error
  })
  await lock.release(connection)
  return result
}

const queryValue = async (connection: DatabaseConnection, sql: string): Promise<unknown> => {
  const { rows } = await connection.executeQuery(CompiledQuery.raw(sql))
  return Object.values(Object(rows[0]))[0]
}

/** "sluice" in ASCII. Advisory locks of PostgreSQL belong to one database. */
const POSTGRES_KEY = '126943972287333'

/** Locks of MySQL belong to the whole server, and their names have at most 64 characters. */
const MYSQL_NAME = `concat('sluice-migrate-', md5(coalesce(database(), '')))`

const LOCKS: Readonly<Record<DialectName, Lock>> = {
  postgres: {
    acquire: async (connection) =>
      (await queryValue(connection, `select pg_try_advisory_lock(${POSTGRES_KEY})`)) === true,
    release: async (connection) => void (await queryValue(connection, `select pg_advisory_unlock(${POSTGRES_KEY})`)),
  },
  mysql: {
    acquire: async (connection) => Number(await queryValue(connection, `select get_lock(${MYSQL_NAME}, 0)`)) === 1,
    release: async (connection) => void (await queryValue(connection, `select release_lock(${MYSQL_NAME})`)),
  },
  // A write transaction around the whole run is the lock; each migration is a savepoint in it.
  sqlite: {
    acquire: async (connection) => {
      const busyTimeoutMs = Number(await queryValue(connection, 'pragma busy_timeout'))
      await queryValue(connection, 'pragma busy_timeout = 0')
      try {
        await queryValue(connection, 'begin immediate')
        return true
      } catch (error) {
        if (isBusy(error)) return false
        throw new MigrationError('failed', messageOf(error), { cause: error })
      } finally {
        await queryValue(connection, `pragma busy_timeout = ${busyTimeoutMs}`)
      }
    },
    release: async (connection) => {
      try {
        await queryValue(connection, 'commit')
      } catch (error) {
        // A commit fails for example if a row still refers to nothing and foreign keys are deferred. If the transaction
        // stayed open, every later statement of the connection would join it.
        await queryValue(connection, 'rollback')
        throw new MigrationError('failed', `No migration of this run was kept: ${messageOf(error)}`, { cause: error })
      }
    },
  },
}
