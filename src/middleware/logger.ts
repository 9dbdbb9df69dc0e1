import { readEnv, report } from '#runtime/core'
import { checkNames, checkOption } from '../internal/options/check.ts'
import { type Awaitable, noteError, tryCall, whenResolved } from '../internal/promise/awaitable.ts'
import type { AnyState, CallbackContext, Middleware } from '../internal/types/context.ts'
import { onResponse } from '../kernel/edits.ts'
import type { LogEntry } from './logger/json-format.ts'

export { type JsonFormatOptions, jsonFormat, type LogEntry } from './logger/json-format.ts'

/** Options of {@link logger}. */
export interface LoggerOptions<Extra = unknown> {
  /** Writes a line. @default console.log */
  readonly log?: (line: string) => void
  /** Returns true for requests that are not logged. @default none */
  readonly skip?: (ctx: CallbackContext<Extra>, response: Response) => Awaitable<boolean>
  /** `'json'` for an object per line, or a function: {@link jsonFormat}, {@link colorFormat}. @default a text line */
  readonly format?: 'json' | ((entry: LogEntry, ctx: CallbackContext<Extra>, response: Response) => Awaitable<string>)
  /** Clock, in milliseconds. @default performance.now */
  readonly now?: () => number
}

/**
 * Log one line for each request: `GET /users 200 45ms`.
 *
 * Every response is logged, also those to thrown errors and unmatched paths. Register it first to see all refusals.
 * Control characters in a path are escaped, so that no request can forge a line. An error of `log`, `skip` or `format`
 * is printed, and the response is sent.
 *
 * @throws {TypeError} when created, for a bad option.
 * @example
 * createApp().use(logger({ format: 'json', skip: (ctx) => ctx.path === '/health' }))
 */
export const logger = <Extra = unknown>(options: LoggerOptions<Extra> = {}): Middleware<AnyState, {}, Extra> => {
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
        // Another middleware may have decoded the path
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

/** Options of {@link colorFormat}. */
export interface ColorFormatOptions {
  /** Use colours. @default true, unless the variable NO_COLOR is not empty (no-color.org), read at the first line */
  readonly enabled?: boolean
}

/** SGR colours of 2xx, 3xx, 4xx and 5xx: green, cyan, yellow, red. */
const COLORS = [0, 0, 32, 36, 33, 31]

/**
 * A format for the logger: its line of text with a coloured status, for terminals.
 *
 * @example
 * createApp().use(logger({ format: colorFormat() }))
 */
export const colorFormat = (options: ColorFormatOptions = {}): ((entry: LogEntry) => string) => {
  checkNames('colorFormat', options, 'enabled:boolean')
  let { enabled } = options
  return ({ method, path, status, duration }) => {
    enabled ??= !readEnv('NO_COLOR')
    const colored = enabled ? `\x1b[${COLORS[Math.floor(status / 100)] ?? 0}m${status}\x1b[0m` : status
    return `${method} ${path} ${colored} ${duration}ms`
  }
}
