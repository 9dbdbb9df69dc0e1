import { createHash } from 'node:crypto'
import { CompiledQuery, type DatabaseConnection } from 'kysely'
import { STEP_TABLE } from './migration-state.ts'
import type { Result, Watch } from './session.ts'

/**
 * The steps that a migration has done, for MySQL, which commits each DDL statement by itself. A run that was cut off goes
 * on behind the last statement that was done.
 *
 * A DML statement and its entry are one transaction. A DDL statement is announced first: if the process dies in it, it
 * is sent again, and that its change is there already is then no error.
 */
export interface Journal {
  /** Begin with the entries that an earlier run of this migration left. */
  readonly open: (migration: string, direction: 'up' | 'down') => Promise<void>
  /** Run a statement, or pass over it if it was done. */
  readonly step: Watch
  /** Forget the entries: the migration is done as a whole. */
  readonly close: () => Promise<void>
}

type Entry = { readonly step: number; readonly hash: string; readonly state: string }

/** Statements that change nothing need no entry, and must be sent again for their rows. */
const READS = /^[\s(]*(?:select|show|describe|explain|with|set|use)\b/i

/** Statements that a transaction covers. */
const WRITES = /^\s*(?:insert|update|delete|replace)\b/i

/** Table, column, key exists already; table, column, key is gone already; foreign key exists already. */
const DONE_ALREADY: ReadonlySet<number> = /* @__PURE__ */ new Set([1050, 1060, 1061, 1022, 1051, 1091, 1826])

/** Make the journal of a connection on which no transaction is open. */
export const createJournal = (connection: DatabaseConnection): Journal => {
  let key: readonly [string, string] = ['', '']
  let entries: ReadonlyMap<number, Entry> = new Map()
  let step = 0

  const send = (text: string, ...values: unknown[]) => connection.executeQuery(CompiledQuery.raw(text, values))
  const note = (hash: string, state: string) =>
    send(
      `replace into ${STEP_TABLE} (migration, direction, step, hash, state) values (?, ?, ?, ?, ?)`,
      ...key,
      step,
      hash,
      state,
    )

  const announce = async (hash: string, run: () => Promise<Result>): Promise<Result> => {
    const wasCutOff = isSame(entries.get(step), hash, 'started')
    await note(hash, 'started')
    try {
      const result = await run()
      await note(hash, 'done')
      return result
    } catch (error) {
      if (wasCutOff && isDoneAlready(error)) {
        await note(hash, 'done')
        return { rows: [] }
      }
      await send(`delete from ${STEP_TABLE} where migration = ? and direction = ? and step = ?`, ...key, step)
      throw error
    }
  }

  const together = async (hash: string, run: () => Promise<Result>): Promise<Result> => {
    await send('begin')
    try {
      const result = await run()
      await note(hash, 'done')
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
      const { rows } = await send(
        `select step, hash, state from ${STEP_TABLE} where migration = ? and direction = ?`,
        ...key,
      )
      entries = new Map((rows as Entry[]).map((entry) => [entry.step, entry]))
    },
    step: async (query, run, inTransaction) => {
      if (READS.test(query.sql)) return run()
      const hash = hashOf(query)
      step += 1
      if (isSame(entries.get(step), hash, 'done')) return { rows: [], numAffectedRows: 0n }
      if (!WRITES.test(query.sql)) return announce(hash, run)
      if (!inTransaction) return together(hash, run)
      const result = await run()
      await note(hash, 'done')
      return result
    },
    close: async () => {
      await send(`delete from ${STEP_TABLE} where migration = ? and direction = ?`, ...key)
    },
  }
}

/** MariaDB says that a foreign key exists already with «cannot create table», errno 121. */
const isDoneAlready = (error: unknown): boolean => {
  const { errno = 0, message = '' } = error as { errno?: number; message?: string }
  return DONE_ALREADY.has(errno) || (errno === 1005 && message.includes('errno: 121'))
}

const isSame = (entry: Entry | undefined, hash: string, state: string): boolean =>
  entry?.hash === hash && entry.state === state

/** The statement and its values, but for times: `new Date()` is another one in the next run. */
const hashOf = ({ sql, parameters }: CompiledQuery): string => {
  const values = parameters.map((value) => (value instanceof Date ? 'a time' : value))
  return createHash('sha256')
    .update(JSON.stringify([sql, values]))
    .digest('hex')
}
