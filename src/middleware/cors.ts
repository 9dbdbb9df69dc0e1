import { noContent } from '#runtime/short-response'
import type { Awaitable, Context, FieldList, Middleware } from '../context.ts'
import { after } from '../internal/awaitable.ts'
import { checkNames, checkOption, checkWhole } from '../internal/options.ts'
import { passing } from '../internal/passing.ts'
import { onResponse } from '../on-response.ts'

/** Tells the origin to allow: the given one for `true`, another by its name, none for `false`, `''` and nothing. */
export type OriginRule = (origin: string, ctx: Context) => Awaitable<string | boolean | null | undefined>

type Verdict = Awaited<ReturnType<OriginRule>>

/** Options of {@link cors}. */
export interface CorsOptions {
  /**
   * Origins that may read the answers: `'*'` for all, one, those in a list, those that a pattern matches, or those
   * that a function allows.
   * Anchor patterns at both ends: `/example\.com/` also matches `https://example.com.evil.test`. @default '*'
   */
  readonly origin?: string | RegExp | readonly (string | RegExp)[] | OriginRule
  /** Methods that a preflight allows. @default ['GET', 'HEAD', 'PUT', 'PATCH', 'POST', 'DELETE'] */
  readonly methods?: readonly string[]
  /** Request headers that a preflight allows. @default those that it asks for */
  readonly allowedHeaders?: readonly string[]
  /** Response headers that scripts may read beside the safelisted ones. @default [] */
  readonly exposedHeaders?: readonly string[]
  /** Allow cookies and other credentials; takes an `origin` other than `'*'`. @default false */
  readonly credentials?: boolean
  /** How long a preflight's answer may be kept, in whole seconds; 0 forbids it. @default the browser's own time */
  readonly maxAge?: number
}

/** Fields for an origin that is not allowed: a cache must not give its answer to others. */
const DENIED: FieldList = ['vary', 'Origin']

/** Scheme, host and perhaps a port, as browsers send them: lower case, without a slash at the end. */
const ORIGIN = /^(null|[a-z][^A-Z\s/,]*:\/\/[^A-Z\s/,]+)$/

/** Tokens (RFC 9110 §5.6.2) with commas between them. */
const TOKENS = /^[\w!#$%&'*+.^`|~,-]*$/

/**
 * Let scripts of other origins read the answers (Fetch §3.3), and answer their preflights.
 *
 * Reads `Origin` and `Access-Control-Request-*`. Sends `Access-Control-*` and `Vary` on every response, errors
 * included.
 *
 * @throws {TypeError} when made, for a bad option: an origin with a path, a name with a space, a `maxAge` that is not
 * a number.
 * @example
 * createApp().use(cors({ origin: ['https://app.example'], credentials: true }))
 */
export const cors = (options: CorsOptions = {}): Middleware => {
  checkNames('cors', options, 'origin methods allowedHeaders exposedHeaders credentials:boolean maxAge')
  const {
    origin = '*',
    methods = 'GET,HEAD,PUT,PATCH,POST,DELETE',
    allowedHeaders,
    exposedHeaders,
    credentials,
    maxAge,
  } = options
  const rules = [origin].flat() as (string | RegExp)[] // a function is asked on its own
  for (const one of typeof origin === 'function' || origin === '*' ? [] : rules)
    checkOption(one instanceof RegExp || ORIGIN.test(one), 'cors: origin', 'an origin such as "https://a.example"', one)
  if (maxAge !== undefined) checkWhole(maxAge, 'cors: maxAge', 'seconds')
  if (origin === '*' && credentials) console.warn('cors: credentials: not sent with origin "*"')
  const named = credentials ? [...DENIED, 'access-control-allow-credentials', 'true'] : DENIED
  const exposed = field('exposedHeaders', 'expose-headers', exposedHeaders)
  const preflight = [
    ...field('methods', 'allow-methods', methods),
    ...(allowedHeaders
      ? field('allowedHeaders', 'allow-headers', allowedHeaders)
      : ['vary', 'Access-Control-Request-Headers']),
    ...(maxAge === undefined ? [] : ['access-control-max-age', `${maxAge}`]),
    'content-length',
    '0',
  ]
  // The list of the last origin, which is never edited: most sites have one origin, so the list is rarely made again
  let fields = DENIED

  return passing(function cors(ctx, next) {
    const asked = typeof origin === 'string' ? origin : ctx.header('origin')
    const verdict: Awaitable<Verdict> =
      asked &&
      (typeof origin === 'function'
        ? origin(asked, ctx)
        : rules.some((one) => one === asked || (typeof one === 'object' && asked !== 'null' && asked.search(one) >= 0)))
    const proceed = (allowed: Verdict): Awaitable<Response> => {
      const value = allowed === true ? asked! : allowed
      if (value !== fields[1])
        fields = value ? ['access-control-allow-origin', value, ...(value === '*' ? [] : named), ...exposed] : DENIED
      onResponse(ctx, fields)
      // OPTIONS alone may be a request of its own; with both fields it is the browser's question (Fetch §3.3.2)
      if (ctx.method !== 'OPTIONS' || !ctx.header('origin') || !ctx.header('access-control-request-method'))
        return next()
      onResponse(ctx, preflight)
      const wanted = !allowedHeaders && ctx.header('access-control-request-headers')
      if (wanted) onResponse(ctx, ['access-control-allow-headers', wanted])
      return noContent()
    }
    return after(verdict, proceed)
  })
}

/** The field for an option's list; no field for an empty list. */
const field = (option: string, name: string, value: string | readonly string[] = ''): FieldList => {
  checkOption(TOKENS.test(`${value}`), `cors: ${option}`, 'a list of names', value)
  return `${value}` ? [`access-control-${name}`, `${value}`] : []
}
