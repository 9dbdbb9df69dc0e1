import { basename } from 'node:path'
import type { Watch } from '../driver/single-connection.ts'
import { messageOf, toDatabaseError } from '../error/database-error.ts'
import { propertyOf } from '../property.ts'
import { MigrationError, type MigrationRun, type MigrationStatement } from './migration.ts'

/** Records the statements of one migration, and which of them failed. */
export interface Recorder {
  readonly watch: Watch
  /** Record the statements that the work sends. */
  readonly during: <T>(work: () => Promise<T>) => Promise<T>
  /** The statements recorded since `during` began. */
  readonly statements: () => readonly MigrationStatement[]
  /** The statement that failed last, and its error. */
  readonly refused: () => { readonly sql: string; readonly error: unknown } | undefined
}

/** Create a recorder. It calls the inner watch, if there is one. */
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

/** An error that names the file, the statement and what the database said. */
export const toMigrationError = (
  file: string,
  error: unknown,
  recorder: Recorder,
  completed: readonly MigrationRun[] = [],
): MigrationError => {
  if (error instanceof MigrationError) return error
  const refused = recorder.refused()
  // A model describes a failure in its own words, and keeps the driver's error as the cause.
  const isRefused = refused !== undefined && [error, propertyOf(error, 'cause')].includes(refused.error)
  const reason = messageOf(isRefused ? toDatabaseError(error) : error)
  return new MigrationError('failed', `${basename(file)} failed: ${reason}`, {
    file,
    sql: isRefused ? refused.sql : undefined,
    completed,
    cause: error,
  })
}
