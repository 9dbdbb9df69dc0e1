import { DEV } from '#mode'
import { type Directives, policyOf } from '../internal/header/csp.ts'
import { checkNames, checkOption } from '../internal/options/check.ts'
import { passing } from '../internal/route/passing.ts'
import type { Middleware } from '../internal/types/context.ts'
import { internalsOf } from '../kernel/context.ts'
import { addEdit } from '../kernel/edits.ts'

/** The directives of a policy for what pages may load (CSP Level 3). */
export interface ContentSecurityPolicyOptions {
  /** Sources by directive, camelCase or kebab-case. `[]` sends no sources; `false` removes a default. @default {} */
  readonly directives?: Directives
  /** Start from the eleven default directives. @default true */
  readonly useDefaults?: boolean
  /** Only report what would be blocked. @default false */
  readonly reportOnly?: boolean
  /** Create `ctx.state.cspNonce` for each request, for `script-src` and each source `"'nonce'"`. @default false */
  readonly nonce?: boolean
}

/** How long browsers keep to HTTPS (RFC 6797). */
export interface HstsOptions {
  /** Seconds, rounded down. @default 31536000 */
  readonly maxAge?: number
  /** Also for subdomains of this host. @default true */
  readonly includeSubDomains?: boolean
  /** Ask to be included in the preload lists of browsers. @default false */
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
  /** X-XSS-Protection: `true` for `1; mode=block`; `'0'` turns old filters off, which is better today. @default true */
  readonly xssFilter?: boolean | '0'
  /** Referrer-Policy, one or several: a browser takes the last one that it knows. @default 'no-referrer' */
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

/** The state that {@link helmet} adds: the nonce, when the options ask for one. */
export type HelmetState<Options> = Options extends { contentSecurityPolicy: { nonce: true } }
  ? { cspNonce: string }
  : {}

/** The policies of {@link ReferrerPolicyToken}. */
const REFERRER = /^(no-referrer(-when-downgrade)?|same-origin|(strict-)?origin(-when-cross-origin)?|unsafe-url)$/

/**
 * Send the headers with which browsers restrict a page.
 *
 * Sets Content-Security-Policy, Strict-Transport-Security, X-Frame-Options, X-Content-Type-Options, X-XSS-Protection
 * and Referrer-Policy on every response, errors included, unless the handler has set them.
 *
 * @throws {TypeError} when created, for a bad option: `self` without its quotes, an unknown directive.
 * @example
 * createApp().use(helmet({ contentSecurityPolicy: { directives: { imgSrc: ["'self'", 'https://images.example'] } } }))
 */
export const helmet = <const Options extends HelmetOptions = {}>(
  options: Options = {} as Options,
): Middleware<HelmetState<Options>> => {
  checkNames('helmet', options, 'contentSecurityPolicy hsts frameguard noSniff:boolean xssFilter referrerPolicy')
  const { contentSecurityPolicy: csp = {}, hsts = {}, frameguard = {}, noSniff = true }: HelmetOptions = options
  const { xssFilter = true, referrerPolicy = 'no-referrer' }: HelmetOptions = options
  const cspNames = 'directives useDefaults:boolean reportOnly:boolean nonce:boolean'
  const { directives = {}, useDefaults = true, reportOnly, nonce } = optionsOf('contentSecurityPolicy', csp, cspNames)
  const hstsNames = 'maxAge includeSubDomains:boolean preload:boolean'
  const { maxAge = 31536000, includeSubDomains = true, preload } = optionsOf('hsts', hsts, hstsNames)
  const { action = 'sameorigin' } = optionsOf('frameguard', frameguard, 'action')
  const referrers = referrerPolicy === false ? [] : [referrerPolicy].flat()
  if (DEV) {
    checkHelmet('hsts: maxAge', maxAge >= 0 && maxAge < 1e15, 'a number of seconds', maxAge)
    checkHelmet('frameguard: action', /^(deny|sameorigin)$/i.test(action), '"deny" or "sameorigin"', action)
    checkHelmet('xssFilter', [true, false, '0'].includes(xssFilter), 'true, false or "0"', xssFilter)
    for (const token of referrers)
      checkHelmet('referrerPolicy', REFERRER.test(token), 'a policy such as "no-referrer"', token)
  }

  const policyName = `content-security-policy${reportOnly ? '-report-only' : ''}`
  const policy = csp && policyOf(directives, useDefaults)
  const template = nonce && (policy as string).replace('script-src ', "$&'nonce' ")
  if (DEV && template)
    checkHelmet('contentSecurityPolicy: nonce', template.includes("'nonce'"), 'directives with scriptSrc', directives)
  const fields = Object.entries({
    [policyName]: !template && policy,
    'strict-transport-security':
      hsts &&
      `max-age=${Math.floor(maxAge)}${includeSubDomains ? '; includeSubDomains' : ''}${preload ? '; preload' : ''}`,
    'x-frame-options': frameguard && action.toUpperCase(),
    'x-content-type-options': noSniff && 'nosniff',
    'x-xss-protection': xssFilter && (xssFilter === '0' ? xssFilter : '1; mode=block'),
    'referrer-policy': referrers.join(','),
  })
    .filter((field) => field[1])
    .flat() as string[]

  return passing(function helmet(ctx, next) {
    if (template) {
      const nonceValue = crypto.getRandomValues(new BigUint64Array(2)).join('-')
      // A page with it is for one response: `cache` does not store it
      const get = (): string => {
        internalsOf(ctx).isPrivate = true
        return nonceValue
      }
      Object.defineProperty(ctx.state, 'cspNonce', { configurable: true, enumerable: true, get })
      addEdit(ctx, [policyName, template.replaceAll("'nonce'", `'nonce-${nonceValue}'`)])
    }
    addEdit(ctx, fields)
    return next()
  })
}

const checkHelmet = (option: string, isValid: boolean, expected: string, got: unknown): void =>
  checkOption(isValid, `helmet: ${option}`, expected, got)

/** The options of one header; empty for a boolean, which turns the header on or off. */
const optionsOf = <T extends object>(option: string, value: boolean | T, names: string): Partial<T> => {
  if (typeof value === 'boolean') return {}
  checkNames(`helmet: ${option}`, value, names)
  return value
}
