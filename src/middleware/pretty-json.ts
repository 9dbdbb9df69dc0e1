import { createResponse } from '#runtime/core'
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

/** The indentation may have this many characters, or this many times those of the text, which clients can choose. */
const MAX_INDENTATION = 131_072
const MAX_GROWTH = 16

const JSON_TYPE = /^application\/([\w.+-]+\+)?json *(;|$)/i

/**
 * Indent JSON responses on request: `GET /users?pretty`.
 *
 * The JSON is parsed and printed again, and a strong `ETag` is removed. Register `compression` before it: a response
 * with `Content-Encoding` is not changed.
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
      if (!JSON_TYPE.test(type) || headers.has('content-encoding') || headers.has('content-range')) return
      if (!response.body && ctx.method === 'HEAD' && Number(headers.get('content-length')) <= limit)
        describeChange(headers)
      if (!response.body) return
      const [large, body] = await peek(response.body, limit + 1)
      const text = large ? undefined : await new Response(body as BodyInit).text()
      const indented = text === undefined ? body : indentJson(text, space)
      const fields = new Headers(headers)
      if (indented !== body && indented !== text) describeChange(fields)
      return createResponse(indented as string | ReadableStream, type, { status, statusText, headers: fields })
    })
    return next()
  }
}

/** The length, the ranges and a strong tag are those of the text without indentation. */
const describeChange = (headers: Headers): void => {
  headers.delete('content-length')
  headers.delete('accept-ranges')
  if (!headers.get('etag')?.startsWith('W/')) headers.delete('etag')
}

/** The same JSON with indentation; the text itself if it is not JSON, or would become many times as long. */
const indentJson = (text: string, space: number): string => {
  try {
    const value: unknown = JSON.parse(text)
    const max = Math.max(MAX_INDENTATION, MAX_GROWTH * text.length)
    return indentationOf(value, 0, space) > max ? text : `${JSON.stringify(value, null, space)}\n`
  } catch {
    return text
  }
}

/** The number of characters that indent the members of a value. Throws if it is nested too deeply. */
const indentationOf = (value: unknown, width: number, space: number): number => {
  if (typeof value !== 'object' || value === null) return 0
  let sum = 0
  for (const inner of Object.values(value)) sum += width + space + indentationOf(inner, width + space, space)
  return sum
}
