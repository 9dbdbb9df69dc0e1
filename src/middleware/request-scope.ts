import { createScope, type Scope } from '../container/scope.ts'
import type { Container } from '../container.ts'
import type { Context, Middleware } from '../context.ts'
import { checkNames, checkOption } from '../internal/options.ts'
import { afterBody } from '../internal/stream/after-body.ts'
import { onResponse } from '../on-response.ts'

/** Options of {@link requestScope}. */
export interface RequestScopeOptions {
  /** Hears of a value that failed to end; the response has gone by then. @default console.error */
  readonly onError?: (error: unknown) => void
}

/**
 * Give each request a scope of a container: made when `ctx.state.container` is first read, and ended when the body of
 * the
 * response has been sent or its client has gone. The scope knows the context as `ctx`.
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
    Object.defineProperty(ctx.state, 'container', {
      configurable: true,
      enumerable: true,
      get(): Scope {
        scope ??= openScope(container, ctx)
        return scope
      },
    })
    onResponse(ctx, (response) => {
      const opened = scope
      if (opened === undefined) return undefined
      return afterBody(response, () => {
        const ended = opened.dispose().catch(onError)
        ctx.execution?.waitUntil?.(ended)
      })
    })
    return next()
  }
}

const openScope = (container: Container, ctx: Context): Scope => {
  const scope = createScope(container)
  scope.instance('ctx', ctx)
  return scope
}
