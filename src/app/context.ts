import type { Container } from '../container/container.ts'
import type { HeadersInput, ResponseOptions } from '../internal/header/fields.ts'
import type { AnySchema, OutputOf } from '../internal/types/any-schema.ts'
import type { AnyEnv, AnyState, Context, Handler, Middleware, TypedResponse } from '../internal/types/context.ts'
import { validate } from '../pipe/validate.ts'
import { type EventStream, type Sender, type ServerSentEvent, type SseOptions, sse } from '../respond/sse.ts'
import { type StreamSource, stream } from '../respond/stream.ts'
import { signalOf } from '../signal.ts'
import { type TinyMethods, TinyRequestContext } from './tiny-context.ts'

/** The members that `createApp` adds to the context: readers and response helpers as methods, and the container. */
export interface Respond extends TinyMethods {
  // The first, since compilers name it to those who pass middleware of `createApp` to a plan: see `MissingMethods`
  /** The application's container. */
  readonly container: Container
  /**
   * Body validated by a schema: `state.body` if a body parser ran, else JSON or a form by content type.
   * @throws {ValidationError} with `issues` and `format()`; becomes a 422 unless it is caught.
   */
  validate<S extends AnySchema>(schema: S): Promise<OutputOf<S>>
  /** A streamed response. */
  stream(source: StreamSource | (() => StreamSource), headers?: HeadersInput | ResponseOptions): Response
  /** A response with server-sent events. */
  sse<Event extends ServerSentEvent = ServerSentEvent>(
    sender: Sender<Event>,
    options?: SseOptions,
  ): TypedResponse<EventStream<Event>, 200>
  /** Aborts when the client has disconnected, or a `timeout` has responded: stop working then. See `sluice/signal`. */
  readonly signal: AbortSignal
}

/** The context of an application of `createApp`. */
export type AppContext<Known = AnyState, Params = Record<string, string>, Env = AnyEnv> = Context<Known, Params, Env> &
  Respond

/** A middleware of an application of `createApp`: it may use the context's methods. */
export type AppMiddleware<Adds = AnyState, Needs = {}> = Middleware<Adds, Needs, Respond>

/** A handler of an application of `createApp`. */
export type AppHandler<Known = AnyState, Params = Record<string, string>, Env = AnyEnv> = Handler<
  Known,
  Params,
  Env,
  Respond
>

/** The class behind {@link AppContext}. */
export class AppRequestContext extends TinyRequestContext {
  validate<S extends AnySchema>(schema: S): Promise<OutputOf<S>> {
    return validate(this as Context, schema)
  }

  stream(...args: Parameters<typeof stream>): Response {
    return stream(...args)
  }

  sse(...args: Parameters<typeof sse>): Response {
    return sse(...args)
  }

  get container(): Container {
    return this.settings.container as Container
  }

  get signal(): AbortSignal {
    return signalOf(this)
  }
}
