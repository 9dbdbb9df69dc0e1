import type { Context, Middleware } from '../context.ts'
import { badOption } from '../internal/headers.ts'

/** Options of {@link deprecation}. */
export interface DeprecationOptions {
  /** Since when it is deprecated, or from when on (RFC 9745). */
  readonly since: Date
  /** When it stops working (RFC 8594). @default not told */
  readonly sunset?: Date
  /** Page that says what to use instead. @default none */
  readonly link?: string | URL
  /** Requests that it holds for, such as those of one version of the API. @default all */
  readonly when?: (ctx: Context) => boolean
}

/**
 * Tell clients that what they use will go: `Deprecation`, `Sunset` and a `Link`.
 *
 * @throws {TypeError} when made, for a date or a link that is none.
 * @example
 * createApp().use('/v1', deprecation({ since: new Date('2026-01-01'), link: 'https://docs.example/moving' }))
 */
export const deprecation = (options: DeprecationOptions): Middleware => {
  const { since, sunset, link, when } = options
  for (const date of [since, sunset ?? since])
    if (!(date.getTime() >= 0)) throw badOption('since or sunset', date, 'a date after 1970')
  if (link && /[^!-~]|[<>]/.test(`${link}`)) throw badOption('link', link, 'a URL')
  const fields = [
    'deprecation',
    `@${Math.floor(since.getTime() / 1000)}`,
    ...(sunset ? ['sunset', sunset.toUTCString()] : []),
    ...(link ? ['link', `<${link}>; rel="deprecation"`] : []),
  ]
  return function deprecation(ctx, next) {
    if (!when || when(ctx)) ctx.onResponse(fields)
    return next()
  }
}
