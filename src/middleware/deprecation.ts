import { checkNames, checkOption } from '../internal/options/check.ts'
import { whenResolved } from '../internal/promise/awaitable.ts'
import type { Awaitable, CallbackContext, Middleware } from '../internal/types/context.ts'
import { addEdit } from '../kernel/edits.ts'

/** Options of {@link deprecation}. */
export interface DeprecationOptions<Extra = unknown> {
  /** Date of the deprecation, in the past or in the future (RFC 9745). */
  readonly since: Date
  /** When it stops working (RFC 8594). @default none */
  readonly sunset?: Date
  /** Page that says what to use instead. @default none */
  readonly link?: string | URL
  /** Requests that it applies to, such as those of one API version. @default all */
  readonly when?: (ctx: CallbackContext<Extra>) => Awaitable<boolean>
}

/**
 * Tell clients that a route will be removed: `Deprecation`, `Sunset` and a `Link`.
 *
 * @throws {TypeError} when created, for a bad option: a date before 1970, a link with a space.
 * @example
 * createApp().use('/v1/*', deprecation({ since: new Date('2026-01-01'), link: 'https://docs.example/moving' }))
 */
export const deprecation = <Extra = unknown>(options: DeprecationOptions<Extra>): Middleware<{}, {}, Extra> => {
  checkNames('deprecation', options, 'since sunset link when:function')
  const { since, sunset, link, when } = options as DeprecationOptions
  checkOption(isDate(since), 'deprecation: since', 'a date from 1970 on', since)
  checkOption(!sunset || isDate(sunset), 'deprecation: sunset', 'a date from 1970 on', sunset)
  checkOption(!link || /^[!-;=?-~]+$/.test(`${link}`), 'deprecation: link', 'a URL', link)
  const fields = ['deprecation', `@${Math.floor(since.getTime() / 1000)}`]
  if (sunset) fields.push('sunset', sunset.toUTCString())
  if (link) fields.push('link', `<${link}>; rel="deprecation"`)
  const middleware: Middleware = function deprecation(ctx, next) {
    return whenResolved(!when || when(ctx), (applies) => {
      if (applies) addEdit(ctx, fields)
      return next()
    })
  }
  return Object.assign(middleware, { describes: { deprecated: !when } })
}

const isDate = (date: Date): boolean => date instanceof Date && date.getTime() >= 0
