import type { Middleware } from '../context.ts'
import { type CleanRules, createCleaner } from '../internal/sanitize.ts'
import { cleanValue } from '../internal/sanitize-value.ts'

/** Options of {@link sanitizer}. */
export interface SanitizerOptions extends CleanRules {
  /** Clean the texts in `ctx.state.body`, which a body parser put there. @default true */
  readonly body?: boolean
  /** Replace `ctx.query` by a clean copy, which is `ctx.state.query` too. @default true */
  readonly query?: boolean
  /** Replace `ctx.params` by a clean copy. @default true */
  readonly params?: boolean
}

/**
 * Take markup out of what the client sent: body, query and route parameters.
 *
 * A second line of defence, not the first: output is still encoded where it is written. Reads and replaces
 * `ctx.state.body`, `ctx.query` and `ctx.params`; writes `ctx.state.query`. The request itself stays as it came.
 *
 * @throws {TypeError} when made, if `allowedTags` holds a tag that cannot be made safe (`script`, `svg`, `textarea` …).
 * @example
 * app.use(bodyParser()).use(sanitizer({ allowedTags: ['b', 'i'] }))
 */
export const sanitizer = (options: SanitizerOptions = {}): Middleware<{ query?: URLSearchParams; body?: unknown }> => {
  const { body = true, query = true, params = true } = options
  const clean = createCleaner(options)
  return function sanitizer(ctx, next) {
    const { state } = ctx
    if (body && state.body !== undefined) state.body = cleanValue(state.body, clean)
    if (query) {
      ctx.query = new URLSearchParams(Array.from(ctx.query, ([name, value]) => [name, clean(value)]))
      state.query = ctx.query
    }
    if (params) (ctx as unknown as ParamsEditor).editParams((raw) => cleanValue(raw, clean) as Params)
    return next()
  }
}

type Params = Record<string, string>

/** The context's class: it cleans the parameters again when `apiVersion` has the rest of the path matched. */
interface ParamsEditor {
  editParams(edit: (params: Params) => Params): void
}
