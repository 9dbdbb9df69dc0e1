import { DEV } from '#mode'
import { brokenOff, hasLength, textOf } from '#runtime/core'
import { refusal } from '../error/refusal.ts'
import { type Awaitable, markHandled } from '../promise/awaitable.ts'
import { parseJson } from './parse-json.ts'
import { DEFAULT_LIMIT, type RereadableRequest } from './read-body.ts'

/** The body as JSON: the value that `nativeJson` has read, else from its text. */
export const jsonOf = <T>(request: RereadableRequest, convert: (value: unknown) => Awaitable<T>): Awaitable<T> =>
  request['~json'] ? request['~json'].then(convert) : textOf(request, (text) => convert(parseJson(text)))

/**
 * The body as JSON, by the platform's own reader if a server has enforced a length within the limit. The platform keeps
 * no bytes then: later readers of JSON get the value, and others are refused. @throws {Error} 400 if it is not JSON
 */
export const nativeJson = <T>(request: RereadableRequest, convert: (value: unknown) => Awaitable<T>): Awaitable<T> => {
  const limit = request['~limit'] ?? DEFAULT_LIMIT
  const isWithinLimit = (): boolean => Number(request.headers.get('content-length') ?? Number.NaN) <= limit
  if (request['~bytes'] || !hasLength(request) || !isWithinLimit()) return jsonOf(request, convert)
  // Not the reader that `rereadable` has added, because that keeps bytes
  const value: Promise<unknown> = Request.prototype.json.call(request)
  request['~json'] = value
  request['~bytes'] = NOT_KEPT
  return value.then(convert, (error) => {
    const failed = Promise.reject(error instanceof SyntaxError ? refusal(400, 'Invalid JSON', { cause: error }) : error)
    request['~json'] = markHandled(failed.catch(brokenOff))
    return request['~json'].then(convert)
  })
}

const KEEPS_NO_BYTES = DEV
  ? "validateBody(…, { type: 'json' }) has read the body and keeps no bytes: read them before it, use ctx.json(), or leave out type"
  : 'Body was read as JSON'

/** Rejects only when it is awaited: creating the error for each request would cost time. */
const NOT_KEPT = {
  then: (done, fail) => Promise.reject(new TypeError(KEEPS_NO_BYTES)).then(done, fail),
} as Promise<never>
