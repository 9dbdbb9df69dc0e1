import { DEV } from '#mode'
import { brokenOff, hasLength } from '#runtime/core'
import { type Awaitable, markHandled } from '../promise/awaitable.ts'
import { badBody } from './bad-body.ts'
import { jsonOf } from './json-of.ts'
import { DEFAULT_LIMIT, type RereadableRequest } from './read-body.ts'

/**
 * The body as JSON, by the platform's own reader if a server has enforced a length within the limit. The platform keeps
 * no bytes then: the value is what later readers of JSON get, and others are refused.
 *
 * @throws {Error} with `status` 400 if the body is not JSON.
 */
export const nativeJson = <T>(request: RereadableRequest, convert: (value: unknown) => Awaitable<T>): Awaitable<T> => {
  const limit = request['~limit'] ?? DEFAULT_LIMIT
  if (
    request['~bytes'] ||
    !hasLength(request) ||
    !(Number(request.headers.get('content-length') ?? Number.NaN) <= limit)
  )
    return jsonOf(request, convert)
  // Not the reader that `rereadable` has added, because that keeps bytes
  const value: Promise<unknown> = Request.prototype.json.call(request)
  request['~json'] = value
  request['~bytes'] = NOT_KEPT
  return value.then(convert, (error) => {
    const failed = Promise.reject(error instanceof SyntaxError ? badBody('Invalid JSON', error) : error)
    request['~json'] = markHandled(failed.catch(brokenOff))
    return request['~json'].then(convert)
  })
}

/** Rejects only when it is awaited: creating the error for each request would cost time. */
const NOT_KEPT = {
  then: (done, fail) =>
    Promise.reject(
      new TypeError(
        DEV
          ? "validateBody(…, { type: 'json' }) has read the body and keeps no bytes: read them before it, use ctx.json(), or leave out type"
          : 'Body was read as JSON',
      ),
    ).then(done, fail),
} as Promise<never>
