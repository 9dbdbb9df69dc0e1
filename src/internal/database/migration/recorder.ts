import { basename } from 'node:path'
import type { Watch } from '../driver/single-connection.ts'
import { messageOf, toDatabaseError } from '../error/database-error.ts'
import { propertyOf } from '../property.ts'
import { MigrationError, type MigrationRun, type MigrationStatement } from './migration.ts'

/** Records the statements of one migration, and which of them failed. */
export interface Recorder {
  readonly watch: Watch
  /** Record the statements that the work sends, and wait for those that it does not await itself. */
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
  let running = 0
  const failures = new Set<unknown>()
  const isOwn = (reason: unknown): boolean => failures.has(reason) || failures.has(propertyOf(reason, 'cause'))
  return {
    statements: () => statements,
    refused: () => refused,
    during: async (work) => {
      statements = []
      refused = undefined
      isOn = true
      const lost = catchUnhandled(isOwn)
      try {
        const result = await work()
        do await new Promise(setImmediate)
        while (running > 0)
        const [first] = lost.reasons
        if (lost.reasons.length > 0) throw first
        return result
      } finally {
        isOn = false
        lost.stop()
        failures.clear()
      }
    },
    watch: async (query, run, inTransaction) => {
      if (isOn) statements.push({ sql: query.sql, parameters: query.parameters })
      running += 1
      try {
        return await (isOn ? inner(query, run, inTransaction) : run())
      } catch (error) {
        refused = { sql: query.sql, error }
        if (isOn) failures.add(error)
        throw error
      } finally {
        running -= 1
      }
    },
  }
}

/**
 * Collect rejections that nobody handles, of statements that nobody awaits: they would end the process before the file
 * is named. Every other one ends it as always.
 */
const catchUnhandled = (isOwn: (reason: unknown) => boolean): { reasons: unknown[]; stop: () => void } => {
  const reasons: unknown[] = []
  const listen = (reason: unknown): void => {
    if (isOwn(reason)) reasons.push(reason)
    else if (process.listenerCount('unhandledRejection') === 1) throw reason
  }
  process.on('unhandledRejection', listen)
  return { reasons, stop: () => process.off('unhandledRejection', listen) }
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
