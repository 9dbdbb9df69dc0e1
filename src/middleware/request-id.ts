import { isToken } from '../internal/header/field-name.ts'
import { checkNames, checkOption } from '../internal/options/check.ts'
import { whenResolved } from '../internal/promise/awaitable.ts'
import { passing } from '../internal/route/passing.ts'
import type { Awaitable, CallbackContext, Middleware } from '../internal/types/context.ts'
import { addEdit, onResponse } from '../kernel/edits.ts'

/** Options of {@link requestId}. */
export interface RequestIdOptions<Extra = unknown> {
  /** Use the id of the request header: `true` behind a proxy that sets or removes it, or a function. @default false */
  readonly trust?: boolean | ((ctx: CallbackContext<Extra>) => Awaitable<boolean>)
  /** Header that is sent with every response, and read if the request is trusted. @default 'x-request-id' */
  readonly header?: string
  /** Creates an id of letters, digits and `-_.~`. @default crypto.randomUUID */
  readonly create?: (ctx: CallbackContext<Extra>) => Awaitable<string>
}

/** At most 128 letters, digits and `-_.~`: nothing that could break a log line or a field. */
const SAFE_ID = /^[\w.~-]{1,128}$/

/**
 * Give each request an id that its logs, its response and the next service share.
 *
 * Writes `ctx.state.requestId`, which the logger prints, and sends one header with every response, errors included.
 *
 * @throws {TypeError} when created, for a bad option.
 * @example
 * createApp().use(requestId()).get('/', (ctx) => ctx.text(ctx.state.requestId))
 */
export const requestId = <Extra = unknown>(
  options: RequestIdOptions<Extra> = {},
): Middleware<{ requestId: string }, {}, Extra> => {
  checkNames('requestId', options, 'trust header:string create:function')
  const { trust = false, header = 'x-request-id', create } = options as RequestIdOptions
  const isTrust = typeof trust === 'boolean' || typeof trust === 'function'
  checkOption(isTrust, 'requestId: trust', 'a boolean or a function', trust)
  checkOption(isToken(header), 'requestId: header', 'a field name', header)
  const field = header.toLowerCase()
  // What `create` returns is checked
  const add = create ? onResponse : addEdit

  return passing(function requestId(ctx, next) {
    return whenResolved(typeof trust === 'function' ? trust(ctx) : trust, (trusted) => {
      const incoming = trusted ? (ctx.header(header) ?? '') : ''
      return whenResolved(SAFE_ID.test(incoming) ? incoming : create ? create(ctx) : crypto.randomUUID(), (id) => {
        ctx.state.requestId = id
        add(ctx, [field, id])
        return next()
      })
    })
  })
}
