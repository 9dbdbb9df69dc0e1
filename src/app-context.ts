import type { Container } from './container.ts'
import type { Context, Handler, Middleware } from './context.ts'
import { RequestContext } from './create-context.ts'
import type { HeadersInput, ResponseOptions } from './internal/fields.ts'
import { html } from './respond/html.ts'
import { json } from './respond/json.ts'
import { redirect } from './respond/redirect.ts'
import { type Sender, type SseOptions, sse } from './respond/sse.ts'
import { type StreamSource, stream } from './respond/stream.ts'
import { text } from './respond/text.ts'

/** What `createApp` adds to the context: the response helpers as methods, and the container. */
export interface Respond {
  /** A JSON response; without any argument the body parsed as JSON (see {@link Context.json}). */
  json(data: unknown, status?: number | ResponseOptions, headers?: HeadersInput): Response
  /** A text response; without any argument the body as text (see {@link Context.text}). */
  text(content: string, status?: number | ResponseOptions, headers?: HeadersInput): Response
  /** An HTML response. */
  html(markup: string, status?: number | ResponseOptions, headers?: HeadersInput): Response
  /** A redirect; @default 302 */
  redirect(url: string | URL, status?: number): Response
  /** A streamed response. */
  stream(source: StreamSource | (() => StreamSource), headers?: HeadersInput | ResponseOptions): Response
  /** A response of server-sent events. */
  sse(sender: Sender, options?: SseOptions): Response
  /** The application's container. */
  readonly container: Container
}

/** The context of an application made by `createApp`. */
export type AppContext<Known extends object = {}, Params = Record<string, string>, Env = any> = Context<
  Known,
  Params,
  Env
> &
  Respond

/** A middleware of an application made by `createApp`: it may answer with the context's methods. */
export type AppMiddleware<Adds extends object = {}, Needs extends object = {}> = Middleware<Adds, Needs, Respond>

/** A handler of an application made by `createApp`. */
export type AppHandler<Known extends object = {}, Params = Record<string, string>, Env = any> = Handler<
  Known,
  Params,
  Env,
  Respond
>

/** {@link RequestContext} with the methods of {@link Respond}. Whether `json` and `text` read or answer is decided by the number of arguments. */
export class AppRequestContext extends RequestContext {
  override json(...args: [] | Parameters<typeof json>): any {
    return args.length ? json(...(args as Parameters<typeof json>)) : super.json()
  }

  override text(...args: [] | Parameters<typeof text>): any {
    return args.length ? text(...(args as Parameters<typeof text>)) : super.text()
  }

  html(...args: Parameters<typeof html>): Response {
    return html(...args)
  }

  redirect(...args: Parameters<typeof redirect>): Response {
    return redirect(...args)
  }

  stream(...args: Parameters<typeof stream>): Response {
    return stream(...args)
  }

  sse(...args: Parameters<typeof sse>): Response {
    return sse(...args)
  }

  get container(): Container {
    return this.site.container!
  }
}
