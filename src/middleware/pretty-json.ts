import { createResponse } from '#runtime/core'
import { indentJson } from '../internal/body/indent-json.ts'
import { checkNames, checkOption, checkWhole } from '../internal/options/check.ts'
import { peek } from '../internal/stream/peek.ts'
import type { Middleware } from '../internal/types/context.ts'
import { onResponse } from '../kernel/edits.ts'

/** Options of {@link prettyJson}. */
export interface PrettyJsonOptions {
  /** Query parameter that turns it on, with any value except `false` and `0`. @default 'pretty' */
  readonly query?: string
  /** Spaces per level, 1 to 10. @default 2 */
  readonly space?: number
  /** Always indent. @default false */
  readonly force?: boolean
  /** Largest body that is indented, in bytes; larger ones, and slow streams, are not changed. @default 1048576 */
  readonly limit?: number
}

const JSON_TYPE = /^application\/([\w.+-]+\+)?json *(;|$)/i

/**
 * Indent JSON responses on request: `GET /users?pretty`.
 *
 * Numbers and strings are kept exactly. A strong `ETag` is removed, because the bytes change. Register `compression`
 * before it: a response with `Content-Encoding` is not changed.
 *
 * @throws {TypeError} when created, for a bad option.
 * @example
 * createApp().use(prettyJson()).get('/users', (ctx) => ctx.json(users))
 */
export const prettyJson = (options: PrettyJsonOptions = {}): Middleware => {
  checkNames('prettyJson', options, 'query:string space force:boolean limit')
  const { query = 'pretty', space = 2, force = false, limit = 1_048_576 } = options
  checkWhole(space, 'prettyJson: space', 'spaces', 1)
  checkOption(space <= 10, 'prettyJson: space', 'at most 10 spaces', space)
  checkWhole(limit, 'prettyJson: limit', 'bytes')

  return function prettyJson(ctx, next) {
    const parameter = ctx.query.get(query)
    if (!force && (parameter === null || parameter === 'false' || parameter === '0')) return next()
    onResponse(ctx, async (response) => {
      const { status, statusText, headers } = response
      const type = headers.get('content-type') ?? ''
      if (!JSON_TYPE.test(type) || headers.has('content-encoding') || !response.body) return
      const [large, body] = await peek(response.body, limit + 1)
      const text = large ? undefined : await new Response(body as BodyInit).text()
      const indented = text === undefined ? body : (indentJson(text, space) ?? text)
      const fields = new Headers(headers)
      if (indented !== body && indented !== text) {
        fields.delete('content-length')
        if (!fields.get('etag')?.startsWith('W/')) fields.delete('etag')
      }
      return createResponse(indented as string | ReadableStream, type, { status, statusText, headers: fields })
    })
    return next()
  }
}
