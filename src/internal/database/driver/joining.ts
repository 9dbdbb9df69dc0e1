import type { DatabaseConnection, Dialect, DialectAdapter, Driver } from 'kysely'
import { currentFrame } from '../ambient.ts'
import { toDatabaseError } from '../error/database-error.ts'
import { Lease } from './lease.ts'
import { TransactionScope } from './scope.ts'

/**
 * A dialect whose connections follow the context: inside a transaction, every statement for the same database goes to
 * the connection of that transaction. A transaction inside a transaction is a savepoint.
 *
 * @param depth 1 if a transaction is open on each connection already, so that further ones are savepoints
 */
export const joiningDialect = (dialect: Dialect, depth = 0): Dialect => {
  const adapter = dialect.createAdapter()
  return {
    createAdapter: () => adapter,
    createDriver: () => joiningDriver(dialect.createDriver(), adapter, depth),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  }
}

const joiningDriver = (driver: Driver, adapter: DialectAdapter, depth: number): Driver => {
  const leasesByConnection = new Map<DatabaseConnection, number>()
  return {
    init: () => driver.init(),
    destroy: () => driver.destroy(),
    acquireConnection: async () => {
      const current = currentFrame(adapter)
      if (current) {
        const { connection, scope } = current
        leasesByConnection.set(connection, (leasesByConnection.get(connection) ?? 0) + 1)
        return new Lease(connection, scope)
      }
      const connection = await driver.acquireConnection()
      leasesByConnection.set(connection, 1)
      return new Lease(connection, new TransactionScope(driver, depth))
    },
    releaseConnection: async (lease) => {
      const { connection } = lease as Lease
      const leases = (leasesByConnection.get(connection) ?? 1) - 1
      if (leases > 0) return void leasesByConnection.set(connection, leases)
      leasesByConnection.delete(connection)
      await driver.releaseConnection(connection)
    },
    beginTransaction: async (connection, settings) => {
      const lease = connection as Lease
      lease.scope = await lease.scope.begin(lease.control, settings).catch(throwDatabaseError)
    },
    commitTransaction: async (connection) => {
      const lease = connection as Lease
      await lease.scope.commit(lease.control).catch(throwDatabaseError)
      lease.scope = lease.scope.outer ?? lease.scope
    },
    rollbackTransaction: async (connection) => {
      const lease = connection as Lease
      // A rollback fails only if the connection is lost, which rolls back too. The first error is the one to throw
      await lease.scope.rollback(lease.control).catch(() => {})
      lease.scope = lease.scope.outer ?? lease.scope
    },
  }
}

const throwDatabaseError = (error: unknown): never => {
  throw toDatabaseError(error)
}
