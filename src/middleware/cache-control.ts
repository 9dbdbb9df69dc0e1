import { checkNames, checkOption, checkWhole } from '../internal/options/check.ts'
import type { Middleware } from '../internal/types/context.ts'
import { onResponse } from '../kernel/edits.ts'

/** Options of {@link cacheControl}: the directives of RFC 9111 §5.2.2, RFC 8246 and RFC 5861. */
export interface CacheControlOptions {
  /** Any cache may store the response, even one to a request with `Authorization`. */
  readonly public?: boolean
  /** Only the client's own cache may store it. */
  readonly private?: boolean
  /** No cache may store it. */
  readonly noStore?: boolean
  /** It must be revalidated before each use. */
  readonly noCache?: boolean
  /** No proxy may transform it, for example compress it. */
  readonly noTransform?: boolean
  /** It must not be sent when stale. */
  readonly mustRevalidate?: boolean
  /** Shared caches must not send it when stale. */
  readonly proxyRevalidate?: boolean
  /** It never changes while it is fresh (RFC 8246). */
  readonly immutable?: boolean
  /** How long it is fresh, in whole seconds. */
  readonly maxAge?: number
  /** How long it is fresh in shared caches, in whole seconds. */
  readonly sMaxage?: number
  /** How long it may be sent stale while it is being refreshed, in whole seconds (RFC 5861). */
  readonly staleWhileRevalidate?: number
  /** How long it may be sent stale instead of an error, in whole seconds (RFC 5861). */
  readonly staleIfError?: number
}

/** Flags, then seconds, in the order in which they are sent. */
const NAMES =
  'public:boolean private:boolean noStore:boolean noCache:boolean noTransform:boolean mustRevalidate:boolean proxyRevalidate:boolean immutable:boolean maxAge sMaxage staleWhileRevalidate staleIfError'

/**
 * Set `Cache-Control` on responses below 400 that have none. Errors are not changed, so that no cache stores them.
 *
 * @throws {TypeError} when created, without an option, for a bad one, and for options that contradict each other.
 * @example
 * createApp().get('/logo', cacheControl({ public: true, maxAge: 86_400 }), logo)
 */
export const cacheControl = (options: CacheControlOptions): Middleware => {
  checkNames('cacheControl', options, NAMES)
  const settings = options as Readonly<Record<string, boolean | number | undefined>>
  const directives: string[] = []
  for (const entry of NAMES.split(' ')) {
    const [name = '', isFlag] = entry.split(':')
    const value = settings[name]
    const directive = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    if (isFlag && value) directives.push(directive)
    if (isFlag || value === undefined) continue
    checkWhole(value, `cacheControl: ${name}`, 'seconds')
    directives.push(`${directive}=${value}`)
  }
  checkOption(!(options.public && options.private), 'cacheControl: private', 'no private together with "public"', true)
  const contradiction = options.noStore && options.maxAge
  checkOption(!contradiction, 'cacheControl: maxAge', 'no maxAge together with "noStore"', contradiction)
  checkOption(directives.length, 'cacheControl', 'at least one directive', options)
  const value = directives.join(', ')
  return function cacheControl(ctx, next) {
    onResponse(ctx, ({ status, headers }) => {
      if (status < 400 && !headers.has('cache-control')) headers.set('cache-control', value)
    })
    return next()
  }
}
