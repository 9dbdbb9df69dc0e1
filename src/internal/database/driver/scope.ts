import { AsyncLocalStorage } from 'node:async_hooks'
import {
  CompiledQuery,
  type DatabaseConnection,
  type DialectAdapter,
  type Driver,
  type TransactionSettings,
} from 'kysely'
import type { AsyncLocal } from '../../container/facade-root.ts'
import type { Database } from '../dialect.ts'
import { textOf } from '../property.ts'

/**
 * A connection that was lent, a transaction on it, or a savepoint in the transaction. Statements of a scope wait while
 * a scope inside it is open, because the rollback of a savepoint undoes every statement that was sent since it began.
 */
export class TransactionScope {
  /** 0 without a transaction, 1 in one, more in savepoints. */
  readonly depth: number
  readonly outer: TransactionScope | undefined
  readonly #driver: Driver
  /** Unless it is open, statements are refused. */
  state: 'open' | 'failed' | 'over' = 'open'
  #inner: { readonly scope: TransactionScope; readonly ended: Promise<void> } | undefined
  #leave: () => void = () => {}

  /** @param driver opens and ends the outermost transaction of a connection */
  constructor(driver: Driver, depth: number, outer?: TransactionScope) {
    this.#driver = driver
    this.depth = depth
    this.outer = outer
  }

  /** @throws {Error} if the scope accepts no more statements. */
  assertOpen(): void {
    if (this.state === 'open') return
    const [what, hint] =
      this.state === 'failed'
        ? ['has failed', '']
        : ['is over', ': await this work inside it, or start it when it has ended']
    throw new Error(`The transaction ${what}, and accepts no more statements${hint}`)
  }

  /** A scope of the same transaction, which can end before it. */
  fork(): TransactionScope {
    return new TransactionScope(this.#driver, this.depth, this)
  }

  /** The promise that a statement must wait for, if any. Ask again after it. @throws {Error} if the scope is closed */
  blocker(): Promise<void> | undefined {
    this.assertOpen()
    return this.#inner === undefined || isInside(this.#inner.scope) ? undefined : this.#inner.ended
  }

  /** Begin a transaction, or a savepoint in one. */
  async begin(connection: DatabaseConnection, settings: TransactionSettings): Promise<TransactionScope> {
    for (let blocker = this.blocker(); blocker; blocker = this.blocker()) await blocker
    const inner = new TransactionScope(this.#driver, this.depth + 1, this)
    const ended = new Promise<void>((resolve) => {
      inner.#leave = () => {
        this.#inner = undefined
        resolve()
      }
    })
    this.#inner = { scope: inner, ended }
    try {
      if (this.depth === 0) await this.#driver.beginTransaction(connection, settings)
      else if (settings.isolationLevel === undefined && settings.accessMode === undefined)
        await send(connection, `savepoint ${nameOf(inner)}`)
      else
        throw new Error('A transaction inside a transaction has the isolation level and access mode of the outer one')
      return inner
    } catch (error) {
      inner.#leave()
      throw error
    }
  }

  /** Commit the statements since `begin`. If that fails, `rollback` follows. */
  async commit(connection: DatabaseConnection): Promise<void> {
    if (this.depth === 1) await this.#driver.commitTransaction(connection)
    else await send(connection, `release savepoint ${nameOf(this)}`).catch(explainAbort)
    this.#leave()
  }

  async rollback(connection: DatabaseConnection): Promise<void> {
    try {
      if (this.depth === 1) return await this.#driver.rollbackTransaction(connection)
      await send(connection, `rollback to savepoint ${nameOf(this)}`)
      await send(connection, `release savepoint ${nameOf(this)}`)
    } finally {
      this.#leave()
    }
  }
}

/** A transaction or a migration, while its work runs. All statements for its database join it. */
export interface Frame {
  readonly db: Database
  /** The Kysely instance that opens savepoints. */
  readonly root: Database
  /** Identifies the database: all its Kysely instances have the same adapter. */
  readonly adapter: DialectAdapter
  readonly connection: DatabaseConnection
  readonly scope: TransactionScope
  readonly outer: Frame | undefined
}

// The declaration names no module of Node, since types of models lead here
export const current: AsyncLocal<Frame> = /* @__PURE__ */ new AsyncLocalStorage()

const isInside = (scope: TransactionScope): boolean => {
  for (let frame = current.getStore(); frame; frame = frame.outer) if (frame.scope === scope) return true
  return false
}

/** Throws the error. In place of "current transaction is aborted" of PostgreSQL, throws an error that explains it. */
export const explainAbort = (error: unknown): never => {
  if (textOf(error, 'code') !== '25P02') throw error
  const text = 'The transaction was rolled back: a statement in it failed, and PostgreSQL keeps nothing then'
  throw new Error(`${text}, even if the error is caught`, { cause: error })
}

const nameOf = ({ depth }: TransactionScope): string => `sluice_${depth}`

const send = (connection: DatabaseConnection, sql: string): Promise<unknown> =>
  connection.executeQuery(CompiledQuery.raw(sql))
