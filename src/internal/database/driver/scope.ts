import { AsyncLocalStorage } from 'node:async_hooks'
import { CompiledQuery, type DatabaseConnection, type Driver, type TransactionSettings } from 'kysely'
import { textOf } from '../property.ts'

/** How a driver opens and ends the outermost transaction of a connection. */
export type Controls = Pick<Driver, 'beginTransaction' | 'commitTransaction' | 'rollbackTransaction'>

/**
 * A connection that was lent, a transaction on it, or a savepoint in that.
 *
 * Statements of a scope wait while a scope inside it is open: the rollback of a savepoint undoes every statement that
 * was sent since it began.
 */
export class Scope {
  /** 0 without a transaction, 1 in one, more in savepoints. */
  readonly depth: number
  readonly outer: Scope | undefined
  readonly #controls: Controls
  #state: 'open' | 'failed' | 'over' = 'open'
  #inner: { readonly scope: Scope; readonly ended: Promise<void> } | undefined
  #leave: () => void = () => {}

  constructor(controls: Controls, depth: number, outer?: Scope) {
    this.#controls = controls
    this.depth = depth
    this.outer = outer
  }

  /** Refuse further statements. */
  close(state: 'failed' | 'over'): void {
    this.#state = state
  }

  /**
   * The promise that a statement must wait for. Ask again after it; when there is none, send the statement at once.
   *
   * @throws {Error} if the scope accepts no more statements.
   */
  blocker(): Promise<void> | undefined {
    assertOpen(this.#state)
    return this.#inner === undefined || isInside(this.#inner.scope) ? undefined : this.#inner.ended
  }

  /** Do the work of this scope. All its statements belong to the scope, even if a handle of an outer one sends them. */
  run<T>(work: () => T): T {
    return inside.run(this, work)
  }

  /** Begin a transaction, or a savepoint in one. */
  async begin(connection: DatabaseConnection, settings: TransactionSettings): Promise<Scope> {
    for (let blocker = this.blocker(); blocker; blocker = this.blocker()) await blocker
    const inner = new Scope(this.#controls, this.depth + 1, this)
    const ended = new Promise<void>((resolve) => {
      inner.#leave = () => {
        this.#inner = undefined
        resolve()
      }
    })
    this.#inner = { scope: inner, ended }
    try {
      if (this.depth === 0) await this.#controls.beginTransaction(connection, settings)
      else await beginSavepoint(connection, nameOf(inner), settings)
      return inner
    } catch (error) {
      inner.#leave()
      throw error
    }
  }

  /** Commit the statements since `begin`. If that fails, `rollback` follows. */
  async commit(connection: DatabaseConnection): Promise<void> {
    if (this.depth === 1) await this.#controls.commitTransaction(connection)
    else await send(connection, `release savepoint ${nameOf(this)}`).catch(explainAbort)
    this.#leave()
  }

  /** Undo the statements since `begin`. */
  async rollback(connection: DatabaseConnection): Promise<void> {
    try {
      if (this.depth === 1) return await this.#controls.rollbackTransaction(connection)
      await send(connection, `rollback to savepoint ${nameOf(this)}`)
      await send(connection, `release savepoint ${nameOf(this)}`)
    } finally {
      this.#leave()
    }
  }
}

const inside: AsyncLocalStorage<Scope> = /* @__PURE__ */ new AsyncLocalStorage()

const isInside = (scope: Scope): boolean => {
  for (let scopeInside = inside.getStore(); scopeInside; scopeInside = scopeInside.outer)
    if (scopeInside === scope) return true
  return false
}

/**
 * Explain PostgreSQL's "current transaction is aborted".
 *
 * @throws always: the error, or one that explains it.
 */
export const explainAbort = (error: unknown): never => {
  if (textOf(error, 'code') !== '25P02') throw error
  const text = 'The transaction was rolled back: a statement in it failed, and PostgreSQL keeps nothing then'
  throw new Error(`${text}, even if the error is caught`, { cause: error })
}

/** @throws {Error} if the transaction accepts no more statements. */
export const assertOpen = (state: 'open' | 'failed' | 'over'): void => {
  if (state === 'open') return
  const what = state === 'failed' ? 'has failed, and' : 'is over, and'
  const hint = state === 'failed' ? '' : ': await this work inside it, or start it when it has ended'
  throw new Error(`The transaction ${what} accepts no more statements${hint}`)
}

const nameOf = ({ depth }: Scope): string => `sluice_${depth}`

const beginSavepoint = (
  connection: DatabaseConnection,
  name: string,
  settings: TransactionSettings,
): Promise<unknown> => {
  if (settings.isolationLevel === undefined && settings.accessMode === undefined)
    return send(connection, `savepoint ${name}`)
  throw new Error('A transaction inside a transaction has the isolation level and access mode of the outer one')
}

const send = (connection: DatabaseConnection, sql: string): Promise<unknown> =>
  connection.executeQuery(CompiledQuery.raw(sql))
