import { report, streamOf } from '#runtime/core'
import type { Container } from '../container/container.ts'
import { createScope, type Scope } from '../container/scope.ts'
import { checkOption } from '../internal/options/check.ts'
import { afterBody } from '../internal/stream/after-body.ts'
import type { Middleware } from '../internal/types/context.ts'
import { internalsOf } from '../kernel/context.ts'
import { addLast } from '../kernel/edits.ts'

/**
 * Give each request its own container scope, in `ctx.state.container`. It is created when it is first read, and has the
 * context under the name `ctx`. It is disposed of when the body of the response has been sent or the client has
 * disconnected. After that, and in a handler later than its `timeout`, `make` of a scoped name throws. Errors of
 * disposing are logged.
 *
 * @throws {TypeError} when created, without a container.
 * @example
 * scoped(app.container, 'cart', (c) => loadCart(c.make<Context>('ctx').header('x-cart')))
 * app.use(requestScope(app.container)).get('/', (ctx) => json(ctx.state.container.make('cart')))
 */
export const requestScope = (container: Container): Middleware<{ container: Container }> => {
  checkOption(typeof container?.find === 'function', 'requestScope: container', 'a Container', typeof container)
  return function requestScope(ctx, next) {
    let scope: Scope | undefined
    const internals = internalsOf(ctx)
    // Behind a timeout that has responded, no response ends the scope
    let ended = internals.isRaceOver === true
    const end = (): void => {
      ended = true
      const disposed = scope?.dispose().catch(report)
      if (disposed) ctx.execution?.waitUntil?.(disposed)
    }
    const get = (): Scope => {
      if (scope) return scope
      scope = createScope(container)
      scope.instance('ctx', ctx)
      // A handler that is later than its timeout must not make objects, which nobody would dispose of
      if (ended) end()
      return scope
    }
    Object.defineProperty(ctx.state, 'container', { configurable: true, enumerable: true, get })
    // This edit runs last, since edits of middleware in front may use the scope as well
    addLast(ctx, (response) => {
      // A stream may ask for the scope while it is read
      if (scope || streamOf(response)) return afterBody(response, end)
      // A socket continues after its handshake
      ended = response.status !== 101
      return undefined
    })
    return next()
  }
}
