import { DEV } from '#mode'
import { noContent, removeField } from '#runtime/core'
import { AN_ORIGIN, isOrigin } from '../internal/header/origin.ts'
import { checkNames, checkOption, checkWhole } from '../internal/options/check.ts'
import { whenResolved } from '../internal/promise/awaitable.ts'
import { passing } from '../internal/route/passing.ts'
import type { Awaitable, CallbackContext, FieldList, Middleware } from '../internal/types/context.ts'
import { addEdit } from '../kernel/edits.ts'

/** Returns the origin to allow: `true` for the given one, a string for another, `false`, `''` or nothing for none. */
export type OriginRule<Extra = unknown> = (
  origin: string,
  ctx: CallbackContext<Extra>,
) => Awaitable<string | boolean | null | undefined>

/** Options of {@link cors}. */
export interface CorsOptions<Extra = unknown> {
  /**
   * Origins that may read responses: `'*'` for all, one, a list, a pattern or a function. Anchor patterns at both ends:
   * `/example\.com/` also matches `https://example.com.evil.test`. @default '*'
   */
  readonly origin?: string | RegExp | readonly (string | RegExp)[] | OriginRule<Extra>
  /** Methods that a preflight allows. @default ['GET', 'HEAD', 'PUT', 'PATCH', 'POST', 'DELETE'] */
  readonly methods?: readonly string[]
  /** Request headers that a preflight allows. @default those that the preflight asks for */
  readonly allowedHeaders?: readonly string[]
  /** Response headers that scripts may read in addition to the safelisted ones. @default [] */
  readonly exposedHeaders?: readonly string[]
  /** Allow cookies and other credentials; needs an `origin` other than `'*'`. @default false */
  readonly credentials?: boolean
  /** How long browsers may cache a preflight response, in whole seconds; 0 forbids it. @default up to the browser */
  readonly maxAge?: number
}

/** Headers for an origin that is not allowed: a cache must not send its response to other origins. */
const DENIED: FieldList = ['vary', 'Origin']

/** Tokens (RFC 9110 §5.6.2) with commas between them. */
const TOKENS = /^[\w!#$%&'*+.^`|~,-]*$/

/**
 * Let scripts of other origins read responses (Fetch §3.3), and respond to their preflights.
 *
 * Reads `Origin` and `Access-Control-Request-*`. Sends `Access-Control-*` and `Vary` on every response, errors
 * included, and replaces those of the handler, of a proxied response and of an inner `cors`.
 *
 * @throws {TypeError} when created, for a bad option: an origin with a path, a name with a space.
 * @example
 * createApp().use(cors({ origin: ['https://app.example'], credentials: true }))
 */
export const cors = <Extra = unknown>(options: CorsOptions<Extra> = {}): Middleware<{}, {}, Extra> => {
  checkNames('cors', options, 'origin methods allowedHeaders exposedHeaders credentials:boolean maxAge')
  const { origin = '*', allowedHeaders, exposedHeaders, credentials, maxAge } = options as CorsOptions
  const rules = [origin].flat() as (string | RegExp)[] // a function is called separately
  if (DEV) {
    for (const rule of typeof origin === 'function' || origin === '*' ? [] : rules)
      checkOption(rule instanceof RegExp || rule === 'null' || isOrigin(rule), 'cors: origin', AN_ORIGIN, rule)
    checkOption(!/[a-z]/.test(`${options.methods ?? ''}`), 'cors: methods', 'methods in upper case', options.methods)
    if (maxAge !== undefined) checkWhole(maxAge, 'cors: maxAge', 'seconds')
    if (origin === '*' && credentials) console.warn('cors: credentials: not sent with origin "*"')
  }
  const allowFields = credentials ? [...DENIED, 'access-control-allow-credentials', 'true'] : DENIED
  const exposed = field('exposedHeaders', 'expose-headers', exposedHeaders)
  const preflight = [
    ...field('methods', 'allow-methods', options.methods ?? 'GET,HEAD,PUT,PATCH,POST,DELETE'),
    ...(allowedHeaders
      ? field('allowedHeaders', 'allow-headers', allowedHeaders)
      : ['vary', 'Access-Control-Request-Headers']),
    ...field('maxAge', 'max-age', maxAge),
    'content-length',
    '0',
  ]
  // The header list of the last origin, which is never edited: most sites have one origin
  let fields = DENIED
  const owned = ['access-control-allow-origin', 'access-control-allow-credentials', ...exposed.slice(0, 1)]
  const replaceInner = (response: Response): void => {
    for (const name of owned) removeField(response, name)
  }

  return passing(function cors(ctx, next) {
    const requestOrigin = typeof origin === 'string' ? origin : ctx.header('origin')
    const verdict: ReturnType<OriginRule> =
      requestOrigin &&
      (typeof origin === 'function'
        ? origin(requestOrigin, ctx)
        : rules.some(
            (rule) =>
              rule === requestOrigin ||
              (typeof rule === 'object' && requestOrigin !== 'null' && requestOrigin.search(rule) >= 0),
          ))
    return whenResolved(verdict, (allowed) => {
      const value = allowed === true ? requestOrigin! : allowed
      if (value !== fields[1])
        fields = value
          ? ['access-control-allow-origin', value, ...(value === '*' ? [] : allowFields), ...exposed]
          : DENIED
      addEdit(ctx, fields)
      addEdit(ctx, replaceInner)
      // OPTIONS alone may be an ordinary request; with both headers it is a preflight (Fetch §3.3.2)
      if (ctx.method !== 'OPTIONS' || !ctx.header('origin') || !ctx.header('access-control-request-method'))
        return next()
      addEdit(ctx, preflight)
      const requestedHeaders = !allowedHeaders && ctx.header('access-control-request-headers')
      if (requestedHeaders) addEdit(ctx, ['access-control-allow-headers', requestedHeaders])
      return noContent()
    })
  })
}

/** The header of an option; none for an empty list, and for an absent option. */
const field = (option: string, name: string, value: string | number | readonly string[] = ''): FieldList => {
  if (DEV) checkOption(TOKENS.test(`${value}`), `cors: ${option}`, 'a list of names', value)
  return `${value}` ? [`access-control-${name}`, `${value}`] : []
}
