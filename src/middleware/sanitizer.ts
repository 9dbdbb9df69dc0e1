import { type CleanRules, cleanValue, createCleaner } from '../internal/markup/sanitize.ts'
import { checkNames } from '../internal/options/check.ts'
import type { Middleware } from '../internal/types/context.ts'

/** Options of {@link sanitizer}. */
export interface SanitizerOptions extends CleanRules {
  /** Clean the strings in `ctx.state.body`, which a body parser has written. @default true */
  readonly body?: boolean
  /** Replace `ctx.query` by a clean copy, which is `ctx.state.query` too. @default true */
  readonly query?: boolean
  /** Replace `ctx.params` by a clean copy. @default true */
  readonly params?: boolean
}

/**
 * Remove markup from what the client sent: body, query and route parameters.
 *
 * You must still encode output: this is a second line of defence. Replaces `ctx.state.body`, `ctx.query` and
 * `ctx.params`; writes `ctx.state.query`. The request itself is not changed.
 *
 * @throws {TypeError} when created, for a bad option: a tag that cannot be made safe, such as `script` or `textarea`.
 * @example
 * app.use(bodyParser()).use(sanitizer({ allowedTags: ['b', 'i'] }))
 */
export const sanitizer = (options: SanitizerOptions = {}): Middleware<{ query?: URLSearchParams; body?: unknown }> => {
  const names = 'body:boolean query:boolean params:boolean stripTags:boolean escapeHtml:boolean allowedTags'
  checkNames('sanitizer', options, names)
  const { body = true, query = true, params = true } = options
  const clean = createCleaner(options)
  return function sanitizer(ctx, next) {
    const { state } = ctx
    if (body && state.body !== undefined) state.body = cleanValue(state.body, clean)
    if (query) {
      const cleaned = new URLSearchParams(Array.from(ctx.query, ([name, value]) => [clean(name), clean(value)]))
      ctx.query = cleaned
      state.query = cleaned
    }
    if (params) ctx.params = cleanValue(ctx.params, clean) as Record<string, string>
    return next()
  }
}
