import type { Middleware } from '../context.ts'
import { type Directives, policyOf } from '../internal/csp.ts'

/** What pages may load (CSP Level 3). */
export interface ContentSecurityPolicyOptions {
  /** Sources by directive, camelCase or kebab-case; an empty list writes the bare name, `false` takes a default away. @default {} */
  readonly directives?: Directives
  /** Start from the eleven default directives. @default true */
  readonly useDefaults?: boolean
  /** Report what would be blocked, block nothing. @default false */
  readonly reportOnly?: boolean
  /**
   * Make a nonce for each request, in `ctx.state.cspNonce`: `script-src` allows it, and each directive that has `"'nonce'"`
   * among its sources. @default false
   */
  readonly nonce?: boolean
}

/** How long browsers keep to HTTPS (RFC 6797). */
export interface HstsOptions {
  /** Seconds, rounded down. @default 31536000 */
  readonly maxAge?: number
  /** Also for hosts below this one. @default true */
  readonly includeSubDomains?: boolean
  /** Ask to be in the lists that browsers ship. @default false */
  readonly preload?: boolean
}

/** Options of {@link helmet}; `false` leaves a header out. */
export interface HelmetOptions {
  /** Content-Security-Policy. @default the eleven directives of helmet 8 */
  readonly contentSecurityPolicy?: boolean | ContentSecurityPolicyOptions
  /** Strict-Transport-Security. @default one year with subdomains */
  readonly hsts?: boolean | HstsOptions
  /** X-Frame-Options. @default { action: 'sameorigin' } */
  readonly frameguard?: boolean | { readonly action?: 'deny' | 'sameorigin' }
  /** X-Content-Type-Options: nosniff. @default true */
  readonly noSniff?: boolean
  /** X-XSS-Protection: `true` for `1; mode=block`, `'0'` for what today's advice is. @default true */
  readonly xssFilter?: boolean | '0'
  /** Referrer-Policy, one or several, of which browsers take the last that they know. @default 'no-referrer' */
  readonly referrerPolicy?: false | ReferrerPolicyToken | readonly ReferrerPolicyToken[]
}

/** One policy of Referrer Policy §3. */
export type ReferrerPolicyToken =
  | 'no-referrer'
  | 'no-referrer-when-downgrade'
  | 'same-origin'
  | 'origin'
  | 'strict-origin'
  | 'origin-when-cross-origin'
  | 'strict-origin-when-cross-origin'
  | 'unsafe-url'

/** What {@link helmet} writes to `ctx.state`: the nonce, when the options ask for one. */
export type HelmetState<Options> = Options extends { contentSecurityPolicy: { nonce: true } }
  ? { cspNonce: string }
  : {}

const REFERRER = /^(no-referrer(-when-downgrade)?|same-origin|(strict-)?origin(-when-cross-origin)?|unsafe-url)$/

/**
 * Send the headers that tell browsers what a page may do.
 *
 * Sets Content-Security-Policy, Strict-Transport-Security, X-Frame-Options, X-Content-Type-Options, X-XSS-Protection and
 * Referrer-Policy on every response, errors included, each where the handler set none. All but a nonce are made once.
 *
 * @throws {TypeError} when made, for a value that would not mean what it says: `self` without its quotes, an unknown referrer policy.
 * @example
 * createApp().use(helmet({ contentSecurityPolicy: { directives: { imgSrc: ["'self'", 'https://images.example'] } } }))
 */
export const helmet = <const Options extends HelmetOptions = {}>(
  options?: Options,
): Middleware<HelmetState<Options>> => {
  const {
    contentSecurityPolicy = {},
    hsts = {},
    frameguard = {},
    noSniff = true,
    xssFilter = true,
    referrerPolicy = 'no-referrer',
  }: HelmetOptions = options ?? {}
  const {
    directives = {},
    useDefaults = true,
    reportOnly,
    nonce,
  } = contentSecurityPolicy as ContentSecurityPolicyOptions
  const { action = 'sameorigin' } = frameguard as { action?: string }
  const referrers = [referrerPolicy || []].flat()
  check('frameguard.action', action, /^(deny|sameorigin)$/i)
  for (const token of referrers) check('referrerPolicy', token, REFERRER)

  const policyName = `content-security-policy${reportOnly ? '-report-only' : ''}`
  const policy = contentSecurityPolicy && policyOf(directives, useDefaults)
  const template = nonce && (policy as string).replace('script-src ', "$&'nonce' ")
  const fields = Object.entries({
    [policyName]: !template && policy,
    'strict-transport-security': hsts && lifetime(hsts as HstsOptions),
    'x-frame-options': frameguard && action.toUpperCase(),
    'x-content-type-options': noSniff && 'nosniff',
    'x-xss-protection': xssFilter && (xssFilter === '0' ? xssFilter : '1; mode=block'),
    'referrer-policy': referrers.join(','),
  })
    .filter((field) => field[1])
    .flat() as string[]

  return function helmet(ctx, next) {
    if (template) {
      const fresh = crypto.getRandomValues(new BigUint64Array(2)).join('-')
      ;(ctx.state as { cspNonce?: string }).cspNonce = fresh
      ctx.onResponse([policyName, template.replaceAll("'nonce'", `'nonce-${fresh}'`)])
    }
    ctx.onResponse(fields)
    return next()
  }
}

const lifetime = ({ maxAge = 31536000, includeSubDomains = true, preload }: HstsOptions): string => {
  check('hsts.maxAge', `${maxAge}`, /^\d/)
  return `max-age=${Math.floor(maxAge)}${includeSubDomains ? '; includeSubDomains' : ''}${preload ? '; preload' : ''}`
}

const check = (option: string, value: string, valid: RegExp): void => {
  if (!valid.test(value)) throw new TypeError(`${option}: ${value}`)
}
