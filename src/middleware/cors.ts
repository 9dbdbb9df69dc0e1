import { noContent } from '#runtime/short-response'
import type { Awaitable, Context, FieldList, Middleware } from '../context.ts'

/** Tells the origin to allow: the given one for `true`, another by its name, none for `false`, `''` and nothing. */
export type OriginRule = (origin: string, ctx: Context) => Awaitable<string | boolean | null | undefined>

type Verdict = Awaited<ReturnType<OriginRule>>

/** Options of {@link cors}. */
export interface CorsOptions {
  /**
   * Who may read the answers: everybody, one origin, those that a list names or a pattern matches, or whom a function says.
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
  /** How long a preflight's answer may be kept, in seconds, rounded; 0 forbids it. @default the browser's own time */
  readonly maxAge?: number
}

/** What all get whom the rule does not allow, so that caches keep their answer from the others. */
const DENIED: FieldList = ['vary', 'Origin']

/** What no origin and no name holds: white space, a path; and what no number is. */
const BAD = /\s|[^:/]\/|NaN/

/**
 * Let scripts of other origins read the answers (Fetch §3.3), and answer their preflights.
 *
 * Reads `Origin` and `Access-Control-Request-*`. Sends `Access-Control-*` and `Vary` on every response, errors included.
 *
 * @throws {TypeError} when made, for an origin with a path, a name with a space and a `maxAge` that is no number.
 * @example
 * createApp().use(cors({ origin: ['https://app.example'], credentials: true }))
 */
export const cors = (options: CorsOptions = {}): Middleware => {
  const {
    origin = '*',
    methods = 'GET,HEAD,PUT,PATCH,POST,DELETE',
    allowedHeaders,
    exposedHeaders,
    credentials,
    maxAge,
  } = options
  const rules = [origin].flat() as (string | RegExp)[]
  if (typeof origin === 'string') field('allow-origin', origin)
  if (origin === '*' && credentials) console.warn('cors: no credentials for *')
  const named = credentials ? [...DENIED, 'access-control-allow-credentials', 'true'] : DENIED
  const exposed = field('expose-headers', exposedHeaders)
  const preflight = [
    ...field('allow-methods', methods),
    ...(allowedHeaders ? field('allow-headers', allowedHeaders) : ['vary', 'Access-Control-Request-Headers']),
    ...field('max-age', maxAge?.toFixed()),
    'content-length',
    '0',
  ]
  // The fields of the last request's origin: most sites have one, so they are hardly ever made again
  let fields = DENIED

  return function cors(ctx, next) {
    const asked = typeof origin === 'string' ? origin : ctx.header('origin')
    const verdict =
      asked &&
      (typeof origin === 'function'
        ? origin(asked, ctx)
        : rules.some((one) => one === asked || (typeof one === 'object' && asked !== 'null' && asked.search(one) >= 0)))
    const proceed = (allowed: Verdict): Awaitable<Response> => {
      const value = allowed === true ? asked! : allowed
      if (value !== fields[1])
        fields = value ? ['access-control-allow-origin', value, ...(value === '*' ? [] : named), ...exposed] : DENIED
      ctx.onResponse(fields)
      // OPTIONS alone may be a request of its own; with both fields it is the browser's question (Fetch §3.3.2)
      if (ctx.method !== 'OPTIONS' || !ctx.header('origin') || !ctx.header('access-control-request-method'))
        return next()
      ctx.onResponse(preflight)
      const wanted = !allowedHeaders && ctx.header('access-control-request-headers')
      if (wanted) ctx.onResponse(['access-control-allow-headers', wanted])
      return noContent()
    }
    return (verdict as Promise<Verdict>)?.then
      ? (verdict as Promise<Verdict>).then(proceed)
      : proceed(verdict as Verdict)
  }
}

/** A field of the option's value, no field when there is none. */
const field = (name: string, value: string | readonly string[] = ''): FieldList => {
  if (BAD.test(`${value}`)) throw TypeError(`cors ${name}: ${value}`)
  return `${value}` ? [`access-control-${name}`, `${value}`] : []
}
