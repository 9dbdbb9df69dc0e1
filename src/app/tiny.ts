/** Invariant: the chain of methods of `createApp`, with the context of `sluice/tiny` and without a container. */
import { type CheckedAppOptions, checkAppOptions } from '../internal/options/app-options.ts'
import type { AnyEnv, AnyState } from '../internal/types/context.ts'
import type { Self } from '../internal/types/route.ts'
import { type RequestMethods, RouteMethods, type Routes, type RoutesOptions } from './routes.ts'
import { type TinyContext, type TinyMethods, TinyRequestContext } from './tiny-context.ts'

/** Options of {@link createApp}. */
export interface TinyOptions<Env = AnyEnv> extends RoutesOptions<TinyContext<AnyState, Record<string, string>, Env>> {}

/** An application of `sluice/tiny`. */
export interface TinyApp<Known = AnyState, Env = AnyEnv, R = any>
  extends Routes<Known, Env, TinyMethods, TinyAppSelf, R>,
    RequestMethods<Env> {}

interface TinyAppSelf extends Self {
  readonly type: TinyApp<this['known'], this['env'], this['routes']>
  readonly prefix: ''
}

/**
 * `createApp` of `sluice` without container, providers, `listen`, `validate`, `sse`, `stream` and `signal`.
 *
 * @example
 * export default createApp().get('/hello/:name', (ctx) => ctx.json({ hello: ctx.params.name }))
 */
export const createApp = <Env = AnyEnv, Known = AnyState>(
  options: TinyOptions<Env> = {},
): TinyApp<Known, Env, never> => {
  checkAppOptions(options)
  return new RouteMethods(options as CheckedAppOptions, TinyRequestContext) as unknown as TinyApp<Known, Env, never>
}
