import type { Context, Middleware } from '../context.ts'
import { type Awaitable, attempt, noteError } from '../internal/awaitable.ts'
import { report } from '../internal/error/report.ts'
import { checkNames, checkOption } from '../internal/options.ts'
import { onResponse } from '../on-response.ts'

/** One finished request. */
export interface LogEntry {
  readonly method: string
  /** Path as the client asked for it, without the query, which may hold secrets. */
  readonly path: string
  readonly status: number
  /** Time from the logger to the response's headers, in whole milliseconds. */
  readonly duration: number
  /** `ctx.state.requestId`, where a middleware has set it. */
  readonly requestId?: unknown
  /** What was thrown behind the logger, for a format that is a function. */
  readonly error?: unknown
}

/** Options of {@link logger}. */
export interface LoggerOptions {
  /** Where a line goes. @default console.log */
  readonly log?: (line: string) => void
  /** True for requests that leave no line. @default none */
  readonly skip?: (ctx: Context, response: Response) => boolean
  /**
   * `'json'` for one object a line, or a function that writes the line (see `jsonFormat` and `colorFormat`). @default `GET
   * /users 200 45ms`
   */
  readonly format?: 'json' | ((entry: LogEntry, ctx: Context, response: Response) => string)
  /** Clock, in milliseconds. @default performance.now */
  readonly now?: () => number
}

/**
 * Log one line for each request: method, path, status, duration.
 *
 * Whatever answers is logged, thrown errors and unmatched paths included, if the logger runs before what answers:
 * register it first to see every refusal of the others. Control characters in a path are escaped, so no request
 * forges a line. A log, `skip` or `format` that fails is printed, and costs no answer.
 *
 * @throws {TypeError} when created, for a bad option.
 * @example
 * createApp().use(logger({ format: 'json', skip: (ctx) => ctx.path === '/health' }))
 */
export const logger = (options: LoggerOptions = {}): Middleware => {
  checkNames('logger', options, 'log:function skip:function format now:function')
  const { log = console.log, skip, format = text, now = () => performance.now() } = options
  const write = format === 'json' ? json : format
  checkOption(typeof write === 'function', 'logger: format', '"json" or a function', write)
  return function logger(ctx, next) {
    const start = now()
    const { method, path } = ctx
    let error: unknown
    const line = (response: Response): Awaitable<void> => {
      if (skip?.(ctx, response)) return
      const entry: LogEntry = {
        method,
        // Paths come percent-encoded; what another middleware has decoded is encoded again, so that it forges no line
        path: `${ctx.state.originalPath ?? path}`.replace(/[^!-~]/g, escape),
        status: response.status,
        duration: Math.round(now() - start),
        requestId: ctx.state.requestId,
        error,
      }
      return log(write(entry, ctx, response))
    }
    onResponse(ctx, (response) => void attempt(line, response, report))
    // Neither of the two shows errors
    if (write === text || write === json) return next()
    return noteError(next, (thrown) => {
      error = thrown
    })
  }
}

const json = (entry: LogEntry): string => JSON.stringify(entry)

const text = ({ method, path, status, duration }: LogEntry): string => `${method} ${path} ${status} ${duration}ms`
