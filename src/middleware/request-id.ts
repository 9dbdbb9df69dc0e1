import type { Context, Middleware } from '../context.ts'
import { isToken } from '../internal/header/field-name.ts'
import { checkNames, checkOption, checkWhole } from '../internal/options.ts'
import { passing } from '../internal/passing.ts'
import { onResponse } from '../on-response.ts'

/** Options of {@link requestId}. */
export interface RequestIdOptions {
  /**
   * Whether the id that a request brings is taken: `true` behind a proxy that sets or removes the field, or a function.
   * By default clients are not believed. @default false
   */
  readonly trust?: boolean | ((ctx: Context) => boolean)
  /** Field that is sent with every answer, and read where it is trusted. @default 'x-request-id' */
  readonly header?: string
  /** Longest id that is taken, in characters. @default 128 */
  readonly maxLength?: number
  /** Makes an id: letters, digits and `-_.~`. @default crypto.randomUUID */
  readonly create?: (ctx: Context) => string
}

/** Letters, digits and `-_.~`: nothing that could break a log line or a field. */
const SAFE_ID = /^[\w.~-]+$/

/**
 * Give each request an id that its logs, its answer and the next service share.
 *
 * Writes `ctx.state.requestId`, which the logger prints, and sends one field with every answer, errors included.
 *
 * @throws {TypeError} when made, for a bad option.
 * @example
 * createApp().use(requestId()).get('/', (ctx) => ctx.text(ctx.state.requestId))
 */
export const requestId = (options: RequestIdOptions = {}): Middleware<{ requestId: string }> => {
  checkNames('requestId', options, 'trust header:string maxLength create:function')
  const { trust = false, header = 'x-request-id', maxLength = 128, create = () => crypto.randomUUID() } = options
  checkOption(
    typeof trust === 'boolean' || typeof trust === 'function',
    'requestId: trust',
    'a boolean or a function',
    trust,
  )
  checkOption(isToken(header), 'requestId: header', 'a field name', header)
  checkWhole(maxLength, 'requestId: maxLength', 'characters', 1)
  const field = header.toLowerCase()

  return passing(function requestId(ctx, next) {
    const trusted = typeof trust === 'function' ? trust(ctx) : trust
    const sent = trusted ? (ctx.header(field) ?? '') : ''
    const id = sent.length <= maxLength && SAFE_ID.test(sent) ? sent : create(ctx)
    ctx.state.requestId = id
    onResponse(ctx, [field, id])
    return next()
  })
}
