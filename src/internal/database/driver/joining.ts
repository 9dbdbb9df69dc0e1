import type { DatabaseConnection, Dialect, DialectAdapter, Driver, TransactionSettings } from 'kysely'
import { currentScope } from '../ambient.ts'
import { toDatabaseError } from '../error/database-error.ts'
import { Lease } from './lease.ts'
import { Scope } from './scope.ts'

/** How {@link joiningDialect} lends connections. */
export interface JoiningOptions {
  /** True if the driver has one connection, which its users must wait for. @default false */
  readonly isSingle?: boolean
  /** 1 if a transaction is open on each connection already, so that further ones are savepoints. @default 0 */
  readonly depth?: number
}

/**
 * A dialect whose connections follow the context: inside a transaction, every statement for the same database goes to
 * the connection of that transaction. A transaction inside a transaction is a savepoint.
 */
export const joiningDialect = (dialect: Dialect, options: JoiningOptions = {}): Dialect => {
  const adapter = dialect.createAdapter()
  return {
    createAdapter: () => adapter,
    createDriver: () => new JoiningDriver(dialect.createDriver(), adapter, options),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  }
}

class JoiningDriver implements Driver {
  readonly #driver: Driver
  /** Identifies the database: all Kysely instances of a database have the same adapter. */
  readonly #adapter: DialectAdapter
  readonly #depth: number
  readonly #isSingle: boolean
  /** The number of leases of each connection. */
  readonly #users = new Map<DatabaseConnection, number>()
  /** Resolves when all earlier users of the only connection have returned it. */
  #queue: Promise<void> = Promise.resolve()
  #next: () => void = () => {}

  constructor(driver: Driver, adapter: DialectAdapter, { isSingle = false, depth = 0 }: JoiningOptions) {
    this.#driver = driver
    this.#adapter = adapter
    this.#depth = depth
    this.#isSingle = isSingle
  }

  init(): Promise<void> {
    return this.#driver.init()
  }

  destroy(): Promise<void> {
    return this.#driver.destroy()
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    const current = currentScope(this.#adapter)
    if (current) {
      const { connection, scope } = current
      this.#users.set(connection, (this.#users.get(connection) ?? 0) + 1)
      return new Lease(connection, scope)
    }
    const leave = this.#isSingle ? await this.#enter() : undefined
    try {
      const connection = await this.#driver.acquireConnection()
      this.#users.set(connection, 1)
      if (leave) this.#next = leave
      return new Lease(connection, new Scope(this.#driver, this.#depth))
    } catch (error) {
      leave?.()
      throw error
    }
  }

  /**
   * Wait for the only connection. Kysely 0.29 does so outside its drivers, where the transaction itself waits too.
   */
  async #enter(): Promise<() => void> {
    const before = this.#queue
    let leave = (): void => {}
    this.#queue = new Promise((resolve) => {
      leave = resolve
    })
    await before
    return leave
  }

  async releaseConnection(lease: DatabaseConnection): Promise<void> {
    const { connection } = lease as Lease
    const users = (this.#users.get(connection) ?? 1) - 1
    if (users > 0) return void this.#users.set(connection, users)
    this.#users.delete(connection)
    await this.#driver.releaseConnection(connection)
    this.#next()
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const lease = connection as Lease
    lease.scope = await lease.scope.begin(lease.control, settings).catch(throwDatabaseError)
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const lease = connection as Lease
    await lease.scope.commit(lease.control).catch(throwDatabaseError)
    lease.scope = lease.scope.outer ?? lease.scope
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    const lease = connection as Lease
    // A rollback fails only if the connection is lost, which rolls back too. The first error is the one to throw.
    await lease.scope.rollback(lease.control).catch(() => {})
    lease.scope = lease.scope.outer ?? lease.scope
  }
}

const throwDatabaseError = (error: unknown): never => {
  throw toDatabaseError(error)
}
