/** Invariant: the chain of methods of `createApp`, with the context of `sluice/tiny` and without a container. */
import type { RequestOptions } from '../internal/context/to-request.ts'
import { type CheckedAppOptions, checkAppOptions } from '../internal/options/app-options.ts'
import type { Loose } from '../internal/types/context.ts'
import type { Self } from '../internal/types/route.ts'
import { type TinyContext, type TinyMethods, TinyRequestContext } from '../tiny/context.ts'
import type { AppFetch } from './fetch.ts'
import { RouteMethods, type Routes, type RoutesOptions } from './routes.ts'

/** Options of {@link createApp}. */
export interface TinyOptions<Env = any> extends RoutesOptions<TinyContext<Loose, Record<string, string>, Env>> {}

/** An application of `sluice/tiny`. */
export interface TinyApp<Known = Loose, Env = any, R = any> extends Routes<Known, Env, TinyMethods, TinyAppSelf, R> {
  /** Handle a request. Bound, so it can be passed to a server; never throws or rejects. */
  readonly fetch: AppFetch<Env>
  /**
   * Send a request to the application in a test: like `fetch`, but with the arguments of `new Request`, and it always
   * returns a promise. A string that does not begin with `http://` or `https://` is a path of this application.
   * @example
   * const response = await app.request('/users', { method: 'POST', body: '{}' })
   */
  request(input: string | URL | Request, init?: RequestOptions, env?: Env): Promise<Response>
}

/** The return type of methods of {@link TinyApp}. */
interface TinyAppSelf extends Self {
  readonly type: TinyApp<this['known'], this['env'], this['routes']>
  readonly prefix: ''
}

/**
 * `createApp` of `sluice` without container, providers, `listen`, `validate`, `sse` and `stream`: routes, middleware,
 * `fetch`.
 *
 * @example
 * export default createApp().get('/hello/:name', (ctx) => ctx.json({ hello: ctx.params.name }))
 */
export const createApp = <Env = any, Known = Loose>(options: TinyOptions<Env> = {}): TinyApp<Known, Env, never> => {
  checkAppOptions(options)
  return new RouteMethods(options as CheckedAppOptions, TinyRequestContext) as unknown as TinyApp<Known, Env, never>
}
