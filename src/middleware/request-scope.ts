import { streamOf } from '#runtime/response'
import { createScope, type Scope } from '../container/scope.ts'
import type { Container } from '../container.ts'
import type { Context, Middleware } from '../context.ts'
import type { Inside } from '../internal/context/edit-inner.ts'
import type { Edit } from '../internal/context/finish.ts'
import { report } from '../internal/error/report.ts'
import { checkNames, checkOption } from '../internal/options.ts'
import { afterBody } from '../internal/stream/after-body.ts'
import { onResponse } from '../on-response.ts'

/** Options of {@link requestScope}. */
export interface RequestScopeOptions {
  /**
   * Gets the error of a value that could not be disposed of; the response has already been sent. @default console.error
   */
  readonly onError?: (error: unknown) => void
}

/**
 * Give each request its own container scope. It is created when `ctx.state.container` is first read, and disposed of
 * when the body of the response has been sent or the client has disconnected: `make` of a scoped name throws after
 * that, also in a handler that is later than its `timeout`. The scope has the context under the name `ctx`.
 *
 * Writes `ctx.state.container`.
 *
 * @throws {TypeError} when created, without a container or for a bad option.
 * @example
 * scoped(app.container, 'cart', (c) => loadCart(c.make<Context>('ctx').header('x-cart')))
 * app.use(requestScope(app.container)).get('/', (ctx) => json(ctx.state.container.make('cart')))
 */
export const requestScope = (
  container: Container,
  options: RequestScopeOptions = {},
): Middleware<{ container: Container }> => {
  checkOption(typeof container?.find === 'function', 'requestScope: container', 'a Container', typeof container)
  checkNames('requestScope', options, 'onError:function')
  const { onError = (error) => console.error(error) } = options
  return function requestScope(ctx, next) {
    let scope: Scope | undefined
    const { raced, depth } = ctx as object as Inside
    // Behind a timeout that has responded, no response ends the scope
    let ended = raced <= depth
    const end = (): void => {
      ended = true
      const disposed = scope?.dispose().catch(onError).catch(report)
      if (disposed) ctx.execution?.waitUntil?.(disposed)
    }
    Object.defineProperty(ctx.state, 'container', {
      configurable: true,
      enumerable: true,
      get(): Scope {
        if (!scope) {
          scope = openScope(container, ctx)
          // Nobody would dispose of what a handler makes after a timeout has responded
          if (ended) end()
        }
        return scope
      },
    })
    onResponse(ctx, (response) => {
      // A stream may ask for the scope while it is read
      if (scope || streamOf(response)) return afterBody(response, end)
      // A socket continues after its handshake
      ended = response.status !== 101
      return undefined
    })
    // It runs after all other edits, since those of middleware in front may ask for the scope as well
    const { edits } = ctx as object as { readonly edits: Edit[] }
    edits.unshift(edits.pop()!)
    return next()
  }
}

const openScope = (container: Container, ctx: Context): Scope => {
  const scope = createScope(container)
  scope.instance('ctx', ctx)
  return scope
}
