import { limitBodyStream } from '../internal/body/limit-body-stream.ts'
import { checkWhole } from '../internal/options/check.ts'
import type { Middleware } from '../internal/types/context.ts'
import { refuse } from '../pipe/refuse.ts'

/**
 * Refuse larger bodies with 413 `{ error }`: by `Content-Length` before the handler runs, or while the body is read. It
 * replaces the option `bodyLimit` of the application. Of several limits, also those of readers such as
 * `bodyParser`, the smallest applies. On Node the connection is closed if the client continues to send.
 *
 * @param bytes maximum number of bytes, counted before any `Content-Encoding` is decoded
 * @throws {TypeError} when created, if it is not an integer.
 * @example
 * app.post('/avatar', bodyLimit(2_000_000), async (ctx) => save(ctx.request.body))
 */
export const bodyLimit = (bytes: number): Middleware => {
  checkWhole(bytes, 'bodyLimit: bytes', 'bytes')
  const middleware: Middleware = function bodyLimit(ctx, next) {
    if (Number(ctx.header('content-length')) > bytes) return refuse(ctx, 413, 'Content Too Large')
    limitBodyStream(ctx.request, bytes)
    return next()
  }
  return Object.assign(middleware, { describes: { statuses: [413], unsafe: true } })
}
