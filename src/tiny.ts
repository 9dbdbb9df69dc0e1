import type { Loose } from './context.ts'
import { checkAppOptions, type ShellOptions } from './internal/app-options.ts'
import type { RequestOptions } from './internal/context/to-request.ts'
import type { Self } from './internal/types/route.ts'
import type { ToRoutes } from './plan.ts'
import { type Routes, RoutesShell } from './routes.ts'
import { type TinyContext, type TinyMethods, TinyRequestContext } from './tiny-context.ts'
import type { AppFetch, FetchOptions } from './to-fetch.ts'

/** Options of {@link createApp}. */
export interface TinyOptions<Env = any> extends FetchOptions<TinyContext<Loose, Record<string, string>, Env>> {
  /** Prefix of all routes, matched at a segment boundary. @default '' */
  readonly basePath?: string
  /**
   * Answers a path without a route for the method: give it `methodNotAllowed` of `sluice/method-not-allowed`.
   * @default notFound
   */
  readonly methodNotAllowed?: FetchOptions<TinyContext<Loose, Record<string, string>, Env>>['notFound']
  /**
   * Lets paths have `:id?` and `:id{[0-9]+}`: give it `patterns` of `sluice/patterns`.
   * @default not given: such paths are refused
   */
  readonly patterns?: ToRoutes
  /** Longest body that a reader of the context takes, in bytes. @default 1048576 */
  readonly bodyLimit?: number
}

/** An application of `sluice/tiny`. */
export interface TinyApp<Known = Loose, Env = any, R = any> extends Routes<Known, Env, TinyMethods, TinyAppSelf, R> {
  /** Answer a request. Bound, so it can be handed to a server; never throws or rejects. */
  readonly fetch: AppFetch<Env>
  /**
   * Ask the application as a client would, for tests: `fetch` with what `new Request` takes, always with a promise. A
   * text that does not begin with `http://` or `https://` is a path of this application.
   * @example
   * const response = await app.request('/users', { method: 'POST', body: '{}' })
   */
  request(input: string | URL | Request, init?: RequestOptions, env?: Env): Promise<Response>
}

/** The type that methods of {@link TinyApp} give back. */
interface TinyAppSelf extends Self {
  readonly type: TinyApp<this['known'], this['env'], this['routes']>
}

/**
 * `createApp` of `sluice` without container, providers, `listen`, `sse` and `stream`: routes, middleware, `fetch`.
 *
 * @example
 * export default createApp().get('/hello/:name', (ctx) => ctx.json({ hello: ctx.params.name }))
 */
export const createApp = <Env = any, Known = Loose>(options: TinyOptions<Env> = {}): TinyApp<Known, Env, never> => {
  checkAppOptions(options, '', ':function')
  const given = { ...options, refuseMethod: options.methodNotAllowed }
  return new RoutesShell(given as ShellOptions, TinyRequestContext) as unknown as TinyApp<Known, Env, never>
}
