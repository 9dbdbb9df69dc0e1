import { basename } from 'node:path'
import { MigrationError, type MigrationRun, type MigrationStatement } from './migration.ts'
import type { Watch } from './session.ts'
import { messageOf } from './unreachable.ts'

/** Notes what one migration sends to the database, and which statement was refused. */
export interface Recorder {
  readonly watch: Watch
  /** Note the statements of the work, under the name of a migration and its direction. */
  readonly during: <T>(work: () => Promise<T>) => Promise<T>
  /** The statements noted since `during` began. */
  readonly statements: () => readonly MigrationStatement[]
  /** The statement that failed last, and with what. */
  readonly refused: () => { readonly sql: string; readonly error: unknown } | undefined
}

/** Make a recorder, around another watch if there is one. */
export const createRecorder = (inner: Watch = (_query, run) => run()): Recorder => {
  let statements: MigrationStatement[] = []
  let refused: { sql: string; error: unknown } | undefined
  let isOn = false
  return {
    statements: () => statements,
    refused: () => refused,
    during: async (work) => {
      statements = []
      refused = undefined
      isOn = true
      try {
        return await work()
      } finally {
        isOn = false
      }
    },
    watch: async (query, run, inTransaction) => {
      if (isOn) statements.push({ sql: query.sql, parameters: query.parameters })
      try {
        return await (isOn ? inner(query, run, inTransaction) : run())
      } catch (error) {
        refused = { sql: query.sql, error }
        throw error
      }
    },
  }
}

/** Says the file and what the database said. */
export const toMigrationError = (
  file: string,
  error: unknown,
  recorder: Recorder,
  completed: readonly MigrationRun[] = [],
): MigrationError => {
  if (error instanceof MigrationError) return error
  const refused = recorder.refused()
  const sql = refused?.error === error ? refused?.sql : undefined
  return new MigrationError('failed', `${basename(file)} failed: ${messageOf(error)}`, {
    file,
    sql,
    completed,
    cause: error,
  })
}
