import type { Middleware } from '../context.ts'
import { boundBody } from '../internal/body/bound-body.ts'
import { checkWhole } from '../internal/options.ts'
import { refuse } from '../refuse.ts'

/**
 * Refuse bodies of more bytes, for what stands below: 413 `{ error }`, by `Content-Length` before the handler runs, and
 * while the body is read, by a reader or as `ctx.request.body`. The stream ends with an error that is answered with 413.
 *
 * It replaces the option `bodyLimit` of the application. Of several such middleware the smallest number counts, and a
 * reader with a limit of its own, such as `bodyParser`, keeps that as well. On Node the connection is closed if the client goes on sending.
 *
 * @param bytes the most that is read, counted before any `Content-Encoding` is undone
 * @throws {TypeError} when created, if it is not a whole number.
 * @example
 * app.post('/avatar', bodyLimit(2_000_000), async (ctx) => save(ctx.request.body))
 */
export const bodyLimit = (bytes: number): Middleware => {
  checkWhole(bytes, 'bodyLimit: bytes', 'bytes')
  return function bodyLimit(ctx, next) {
    if (Number(ctx.header('content-length')) > bytes) return refuse(ctx, 413, 'Content Too Large')
    boundBody(ctx.request, bytes)
    return next()
  }
}
