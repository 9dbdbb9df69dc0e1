import { AsyncLocalStorage } from 'node:async_hooks'

/** A statement that a request sent to the database. */
export interface Query {
  readonly sql: string
  /** Milliseconds until its result, with the wait for a connection. */
  readonly took: number
  /** Rows that it returned or changed; undefined if it failed. */
  readonly rows?: number
}

/** How many statements of one request are kept, and how many characters of each. */
const MAX_QUERIES = 100
const MAX_SQL_LENGTH = 2000

const running = new AsyncLocalStorage<Query[]>()

/** Do the work of a request, and add its statements to a list. Their parameters may be secrets, and are not kept. */
export const recordQueries = <T>(queries: Query[], work: () => T): T => running.run(queries, work)

/** The part of a Kysely instance that leads to what sends statements. */
export interface Statements {
  readonly getExecutor: () => object
}

interface Executor {
  executeQuery: (query: { readonly sql: string }, ...more: unknown[]) => Promise<Result>
}

interface Result {
  readonly rows: readonly unknown[]
  readonly numAffectedRows?: bigint
}

const watched = new WeakSet<object>()

/** Watch the statements of a database. Transactions have executors of their own, so their class is watched. */
export const watchQueries = (db: Statements): void => {
  let owner: object | null = db.getExecutor()
  while (owner !== null && !Object.hasOwn(owner, 'executeQuery')) owner = Object.getPrototypeOf(owner) as object | null
  if (owner === null || watched.has(owner)) return
  watched.add(owner)
  const executor = owner as Executor
  const { executeQuery } = executor
  executor.executeQuery = async function (...call) {
    const queries = running.getStore()
    if (queries === undefined || queries.length >= MAX_QUERIES) return executeQuery.apply(this, call)
    const begin = performance.now()
    const sql = call[0].sql.slice(0, MAX_SQL_LENGTH)
    const add = (rows?: number): void => {
      queries.push({ sql, took: performance.now() - begin, ...(rows !== undefined && { rows }) })
    }
    try {
      const result = await executeQuery.apply(this, call)
      add(Number(result.numAffectedRows ?? result.rows.length))
      return result
    } catch (error) {
      add()
      throw error
    }
  }
}
