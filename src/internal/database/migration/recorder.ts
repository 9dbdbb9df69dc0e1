import { basename } from 'node:path'
import type { Watch } from '../driver/single-connection.ts'
import { messageOf, toDatabaseError } from '../error/database-error.ts'
import { propertyOf } from '../property.ts'
import { MigrationError, type MigrationRun, type MigrationStatement } from './migration.ts'

/** Records the statements of one migration, and the one that failed. */
export interface Recorder {
  readonly watch: Watch
  /** Record the statements that the work sends, and wait for those that it does not await itself. */
  readonly record: <T>(work: () => Promise<T>) => Promise<T>
  /** The statements recorded since `record` began. */
  readonly statements: () => readonly MigrationStatement[]
  /** The statement that failed last, and its error. */
  readonly failure: () => { readonly sql: string; readonly error: unknown } | undefined
}

export const createRecorder = (inner: Watch = (_query, run) => run()): Recorder => {
  let statements: MigrationStatement[] = []
  let failure: { sql: string; error: unknown } | undefined
  let isRecording = false
  let running = 0
  const failures = new Set<unknown>()
  return {
    statements: () => statements,
    failure: () => failure,
    record: async (work) => {
      statements = []
      failure = undefined
      isRecording = true
      const unhandled = catchUnhandled(failures)
      try {
        const result = await work()
        do await new Promise(setImmediate)
        while (running > 0)
        if (unhandled.reasons.length > 0) throw unhandled.reasons[0]
        return result
      } finally {
        isRecording = false
        unhandled.stop()
        failures.clear()
      }
    },
    watch: async (query, run, inTransaction) => {
      if (isRecording) statements.push({ sql: query.sql, parameters: query.parameters })
      running += 1
      try {
        return await (isRecording ? inner(query, run, inTransaction) : run())
      } catch (error) {
        failure = { sql: query.sql, error }
        if (isRecording) failures.add(error)
        throw error
      } finally {
        running -= 1
      }
    },
  }
}

/**
 * Collect unhandled rejections of statements that the migration does not await. They would end the process before an
 * error names the file. All other rejections end it as usual.
 */
const catchUnhandled = (failures: ReadonlySet<unknown>): { reasons: unknown[]; stop: () => void } => {
  const reasons: unknown[] = []
  const listen = (reason: unknown): void => {
    if (failures.has(reason) || failures.has(propertyOf(reason, 'cause'))) reasons.push(reason)
    else if (process.listenerCount('unhandledRejection') === 1) throw reason
  }
  process.on('unhandledRejection', listen)
  return { reasons, stop: () => process.off('unhandledRejection', listen) }
}

export const toMigrationError = (
  file: string,
  error: unknown,
  recorder: Recorder,
  completed: readonly MigrationRun[] = [],
): MigrationError => {
  if (error instanceof MigrationError) return error
  const failure = recorder.failure()
  // The error of a model has the driver's error as its cause
  const isStatementError = failure !== undefined && [error, propertyOf(error, 'cause')].includes(failure.error)
  const reason = messageOf(isStatementError ? toDatabaseError(error) : error)
  const sql = isStatementError ? failure.sql : undefined
  return new MigrationError('failed', `${basename(file)} failed: ${reason}`, { file, sql, completed, cause: error })
}
