import { checkNames, checkOption, checkWhole } from '../../internal/options/check.ts'
import { checkNoPromise } from '../../internal/promise/check-no-promise.ts'
import type { CallbackContext, Context } from '../../internal/types/context.ts'
import { routePattern } from '../../pipe/route-pattern.ts'
import { toPlain } from './plain.ts'
import { secretNames } from './secret-names.ts'

/** One finished request. */
export interface LogEntry {
  readonly method: string
  /** Path as the client requested it, without the query, which may contain secrets. */
  readonly path: string
  readonly status: number
  /** Time from the logger until the response headers are ready, in whole milliseconds. */
  readonly duration: number
  /** `ctx.state.requestId`, if a middleware has set it. */
  readonly requestId?: unknown
  /** The error that was thrown inside the logger, for a format that is a function. */
  readonly error?: unknown
}

/** Options of {@link jsonFormat}. */
export interface JsonFormatOptions<Extra = unknown> {
  /** Further members of a line; must not return a promise. They never replace those of the format. @default none */
  readonly fields?: (ctx: CallbackContext<Extra>, response: Response) => object
  /**
   * Further names, regardless of case and hyphens, or patterns of names, whose values become `[redacted]` at any depth.
   * @default names such as `authorization`, `cookie`, `newPassword`, `apiKey`, `userPin`
   */
  readonly redact?: readonly (string | RegExp)[]
  /** Maximum length of a string, in characters. @default 4096 */
  readonly maxLength?: number
  /** Clock, in milliseconds since 1970. @default Date.now */
  readonly now?: () => number
}

/**
 * A format for the logger: one object per line, for log collectors. `time`, `level`, `method`, `path`, `route` (the
 * pattern), `status`, `duration` in milliseconds, `requestId`, `error` with its causes, and your own fields.
 *
 * Secrets are redacted by name. The result is one line of JSON, even if fields and errors contain circular references,
 * BigInt, line breaks, getters that throw, endless values.
 *
 * @throws {TypeError} when created, for a bad option.
 * @example
 * app.use(logger({ format: jsonFormat({ fields: (ctx) => ({ headers: ctx.request.headers }) }) }))
 */
export const jsonFormat = <Extra = unknown>(
  options: JsonFormatOptions<Extra> = {},
): ((entry: LogEntry, ctx: CallbackContext<Extra>, response: Response) => string) => {
  checkNames('jsonFormat', options, 'fields:function redact maxLength now:function')
  const { fields, redact = [], maxLength = 4096, now = Date.now } = options as JsonFormatOptions
  const areNames = Array.isArray(redact) && redact.every((name) => typeof name === 'string' || name instanceof RegExp)
  checkOption(areNames, 'jsonFormat: redact', 'a list of names and patterns', redact)
  checkWhole(maxLength, 'jsonFormat: maxLength', 'characters', 1)
  const isSecret = secretNames(redact)
  return ({ error, requestId, ...entry }: LogEntry, ctx: Context, response: Response) => {
    const failed = entry.status >= 500
    const rules = { isSecret, maxLength, stack: failed }
    const standardFields = {
      time: new Date(now()).toISOString(),
      level: failed ? 'error' : entry.status >= 400 ? 'warn' : 'info',
      ...entry,
      route: routePattern(ctx),
      requestId: toPlain(requestId, rules),
      error: toPlain(error, rules),
    }
    const more = fields && (toPlain(fieldsOf(fields, ctx, response), rules) as object)
    // Twice: the first one sets the order, the second one the values
    return JSON.stringify({ ...standardFields, ...more, ...standardFields }).replace(LINE_BREAKS, toEscape)
  }
}

/** A failing log must not fail the request. */
const fieldsOf = (fields: NonNullable<JsonFormatOptions['fields']>, ctx: Context, response: Response): object => {
  try {
    const extraFields = fields(ctx, response)
    checkNoPromise(extraFields, 'jsonFormat: fields', 'an object')
    return { ...extraFields }
  } catch (error) {
    return { fields: error }
  }
}

/** Characters that JSON does not escape, but some readers treat as line breaks. */
const LINE_BREAKS = /[\x7f-\x9f\u2028\u2029]/g

const toEscape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
