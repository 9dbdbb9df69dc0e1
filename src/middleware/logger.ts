import { report } from '#runtime/core'
import { checkNames, checkOption } from '../internal/options/check.ts'
import { type Awaitable, noteError, tryCall, whenResolved } from '../internal/promise/awaitable.ts'
import type { CallbackContext, Loose, Middleware } from '../internal/types/context.ts'
import { onResponse } from '../kernel/edits.ts'
import type { LogEntry } from './logger/entry.ts'

export { type ColorFormatOptions, colorFormat } from './logger/color-format.ts'
export type { LogEntry } from './logger/entry.ts'
export { type JsonFormatOptions, jsonFormat } from './logger/json-format.ts'

/** Options of {@link logger}. */
export interface LoggerOptions<Extra = unknown> {
  /** Writes a line. @default console.log */
  readonly log?: (line: string) => void
  /** Returns true for requests that are not logged. @default none */
  readonly skip?: (ctx: CallbackContext<Extra>, response: Response) => Awaitable<boolean>
  /**
   * `'json'` for one object per line, or a function that formats the line (see `jsonFormat` and `colorFormat`).
   * @default `GET /users 200 45ms`
   */
  readonly format?: 'json' | ((entry: LogEntry, ctx: CallbackContext<Extra>, response: Response) => Awaitable<string>)
  /** Clock, in milliseconds. @default performance.now */
  readonly now?: () => number
}

/**
 * Log one line for each request: method, path, status, duration.
 *
 * Every response is logged, including those to thrown errors and unmatched paths, if the logger runs before the
 * middleware that responds: register it first to see all refusals. Control characters in a path are escaped, so that no
 * request can forge a line. If `log`, `skip` or `format` fails, the error is printed, and the response is sent all the
 * same.
 *
 * @throws {TypeError} when created, for a bad option.
 * @example
 * createApp().use(logger({ format: 'json', skip: (ctx) => ctx.path === '/health' }))
 */
export const logger = <Extra = unknown>(options: LoggerOptions<Extra> = {}): Middleware<Loose, {}, Extra> => {
  checkNames('logger', options, 'log:function skip:function format now:function')
  const { log = console.log, skip, format = text, now = () => performance.now() } = options as LoggerOptions
  const write = format === 'json' ? json : format
  checkOption(typeof write === 'function', 'logger: format', '"json" or a function', write)
  return function logger(ctx, next) {
    const start = now()
    const { method, path } = ctx
    let error: unknown
    const writeLine = (response: Response): Awaitable<void> => {
      const entry: LogEntry = {
        method,
        // Paths are percent-encoded; a path that another middleware has decoded is encoded again, so that it cannot
        // forge a line
        path: `${ctx.state.originalPath ?? path}`.replace(/[^!-~]/g, escape),
        status: response.status,
        duration: Math.round(now() - start),
        requestId: ctx.state.requestId,
        error,
      }
      return whenResolved(skip?.(ctx, response), (skipped) =>
        skipped ? undefined : whenResolved(write(entry, ctx, response), log),
      )
    }
    onResponse(ctx, (response) => void tryCall(writeLine, response, report))
    // These two formats do not show errors
    if (write === text || write === json) return next()
    return noteError(next, (thrown) => {
      error = thrown
    })
  }
}

const json = (entry: LogEntry): string => JSON.stringify(entry)

const text = ({ method, path, status, duration }: LogEntry): string => `${method} ${path} ${status} ${duration}ms`
