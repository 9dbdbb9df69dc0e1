import { createHash } from 'node:crypto'
import { CompiledQuery, type DatabaseConnection, type QueryResult } from 'kysely'
import type { Result, Watch } from '../driver/single-connection.ts'
import { propertyOf, textOf } from '../property.ts'
import { STEP_TABLE } from './state.ts'

/**
 * The completed steps of a migration. MySQL commits each DDL statement on its own, so an interrupted run continues
 * after the last completed statement.
 *
 * A DML statement and its entry are one transaction. A DDL statement is recorded before it runs. If the process dies
 * during it, it is sent again, and it is not an error if its change already exists.
 */
export interface Journal {
  /** Start with the entries of an earlier run of this migration. */
  readonly open: (migration: string, direction: 'up' | 'down') => Promise<void>
  /** Run a statement, or skip it if it was already done. */
  readonly step: Watch
  /** Delete the entries: the whole migration is done. */
  readonly close: () => Promise<void>
}

type Entry = { readonly step: number; readonly hash: string; readonly state: string }

/** Matches statements that only read. They have no entry and always run, because their rows are needed. */
const READS = /^[\s(]*(?:select|show|describe|explain|with|set|use)\b/i

/** Matches statements that a transaction can roll back. */
const WRITES = /^\s*(?:insert|update|delete|replace)\b/i

/** A table, column, key or foreign key already exists, or is already dropped. */
const APPLIED_ERRORS: ReadonlySet<number> = /* @__PURE__ */ new Set([1050, 1060, 1061, 1022, 1051, 1091, 1826])

/** @param connection without an open transaction */
export const createJournal = (connection: DatabaseConnection): Journal => {
  let key: readonly [string, string] = ['', '']
  let entries: ReadonlyMap<number, Entry> = new Map()
  let step = 0

  const send = <R>(text: string, ...values: unknown[]): Promise<QueryResult<R>> =>
    connection.executeQuery<R>(CompiledQuery.raw(text, values))
  const recordStep = (hash: string, state: string) => {
    const replace = `replace into ${STEP_TABLE} (migration, direction, step, hash, state) values (?, ?, ?, ?, ?)`
    return send(replace, ...key, step, hash, state)
  }

  const runAlone = async (hash: string, run: () => Promise<Result>): Promise<Result> => {
    const wasInterrupted = isSame(entries.get(step), hash, 'started')
    await recordStep(hash, 'started')
    try {
      const result = await run()
      await recordStep(hash, 'done')
      return result
    } catch (error) {
      if (wasInterrupted && isAlreadyApplied(error)) {
        await recordStep(hash, 'done')
        return { rows: [] }
      }
      await send(`delete from ${STEP_TABLE} where migration = ? and direction = ? and step = ?`, ...key, step)
      throw error
    }
  }

  const runInTransaction = async (hash: string, run: () => Promise<Result>): Promise<Result> => {
    await send('begin')
    try {
      const result = await run()
      await recordStep(hash, 'done')
      await send('commit')
      return result
    } catch (error) {
      await send('rollback')
      throw error
    }
  }

  return {
    open: async (migration, direction) => {
      key = [migration, direction]
      step = 0
      const select = `select step, hash, state from ${STEP_TABLE} where migration = ? and direction = ?`
      const { rows } = await send<Entry>(select, ...key)
      entries = new Map(rows.map((entry) => [entry.step, entry]))
    },
    step: async (query, run, inTransaction) => {
      if (READS.test(query.sql)) return run()
      const hash = hashOf(query)
      step += 1
      if (isSame(entries.get(step), hash, 'done')) return { rows: [], numAffectedRows: 0n }
      if (!WRITES.test(query.sql)) return runAlone(hash, run)
      if (!inTransaction) return runInTransaction(hash, run)
      const result = await run()
      await recordStep(hash, 'done')
      return result
    },
    close: async () => {
      await send(`delete from ${STEP_TABLE} where migration = ? and direction = ?`, ...key)
    },
  }
}

/** MariaDB reports an existing foreign key as "cannot create table", errno 121. */
const isAlreadyApplied = (error: unknown): boolean => {
  const errno = Number(propertyOf(error, 'errno'))
  return APPLIED_ERRORS.has(errno) || (errno === 1005 && textOf(error, 'message').includes('errno: 121'))
}

const isSame = (entry: Entry | undefined, hash: string, state: string): boolean =>
  entry?.hash === hash && entry.state === state

/** A hash of the statement and its values, but without times: `new Date()` differs in the next run. */
const hashOf = ({ sql, parameters }: CompiledQuery): string => {
  const values = parameters.map((value) => (value instanceof Date ? 'a time' : value))
  const text = JSON.stringify([sql, values])
  return createHash('sha256').update(text).digest('hex')
}
