import type { Span, TextMapGetter, Context as TraceContext, Tracer, TracerProvider } from '@opentelemetry/api'
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { isResponse, pathOf, report } from '#runtime/core'
import { toError } from './errors.ts'
import { checkNames, checkOption } from './internal/options/check.ts'
import { noteError, tryCall } from './internal/promise/awaitable.ts'
import { errorTypeOf, methodOf, OTHER, schemeOf } from './internal/telemetry/attributes.ts'
import type { Awaitable, CallbackContext, Context, Middleware, Next } from './internal/types/context.ts'
import { internalsOf } from './kernel/context.ts'
import { onResponse } from './kernel/edits.ts'
import { routePattern } from './pipe/route-pattern.ts'

/** Options of {@link tracing}. */
export interface TracingOptions<Extra = unknown> {
  /** Creates the spans. @default the tracer of the registered provider, if there is one */
  readonly tracer?: Tracer
  /**
   * Whether the `traceparent` of a request is used, and its `baggage`, if the propagator reads it. The sender
   * then chooses the trace id and the sampling, and {@link traceHeaders} passes the baggage on. On a public server, set
   * false, or a function that selects trusted clients. @default true
   */
  readonly trust?: boolean | ((ctx: CallbackContext<Extra>) => boolean)
}

/**
 * Create a span for each request, according to the OpenTelemetry conventions (HTTP server spans), by the package
 * `@opentelemetry/api`.
 *
 * The span is named `GET /users/:id`, or `GET` if no route matched. It continues the trace of a valid `traceparent`
 * (W3C Trace Context), and is the active span of the handler if there is a context manager. It ends when the response
 * headers are ready. Thrown errors are recorded; only a status from 500 marks the span as an error.
 *
 * Without a provider, it costs one call of that package. Register it first; `except` of `sluice/middleware/combine`
 * leaves requests out.
 *
 * @throws {TypeError} when created, for a bad option.
 * @example
 * app.use(tracing()).get('/users/:id', (ctx) => fetch(usersUrl, { headers: traceHeaders(ctx) }))
 */
export const tracing = <Extra = unknown>(options: TracingOptions<Extra> = {}): Middleware<{}, {}, Extra> => {
  checkNames('tracing', options, 'tracer:object trust')
  const { tracer: ownTracer, trust = true } = options as TracingOptions
  const isValid = typeof trust === 'boolean' || typeof trust === 'function'
  checkOption(isValid, 'tracing: trust', 'a boolean or a function', trust)
  // Only `true` trusts: the promise of an async function is not `true`, and its error is reported
  const trusts = (ctx: Context): boolean => (typeof trust === 'function' ? tryCall(trust, ctx, report) : trust) === true

  const begin = (ctx: Context, next: Next, tracer: Tracer, parent: TraceContext): Awaitable<Response> => {
    const method = methodOf(ctx.method)
    const pattern = routePattern(ctx)
    const attributes = {
      'http.request.method': method,
      'url.path': pathOf(internalsOf(ctx).raw),
      'url.scheme': schemeOf(ctx.request),
      'user_agent.original': ctx.header('user-agent') ?? undefined,
      'http.request.method_original': method === OTHER ? ctx.method : undefined,
    }
    const span = tracer.startSpan(nameOf(method, pattern), { kind: SpanKind.SERVER, attributes }, parent)
    const inside = trace.setSpan(parent, span)
    internalsOf(ctx).trace = inside
    if (!span.isRecording()) return context.with(inside, next)
    let thrown: unknown
    onResponse(ctx, ({ status }) => {
      const route = routePattern(ctx)
      if (route !== pattern) span.updateName(nameOf(method, route))
      if (route !== undefined) span.setAttribute('http.route', route)
      endSpan(span, status, thrown)
    })
    const setThrown = (error: unknown): void => {
      thrown = error
    }
    return noteError(() => context.with(inside, next), setThrown)
  }

  return function tracing(ctx, next) {
    const tracer = ownTracer ?? currentTracer()
    return tracer ? begin(ctx, next, tracer, parentOf(ctx, trusts)) : next()
  }
}

/**
 * The headers that continue the trace in another service, such as `traceparent`. Empty without a span.
 *
 * @param ctx required if no context manager is registered, as on most edge runtimes
 * @example
 * await fetch('https://users.example/7', { headers: traceHeaders(ctx) })
 */
export const traceHeaders = (ctx?: object): Record<string, string> => {
  const active = context.active()
  const fields: Record<string, string> = {}
  // The handler may have created a span, which is active then
  const ofRequest = trace.getSpan(active) || !ctx ? undefined : (internalsOf(ctx).trace as TraceContext | undefined)
  propagation.inject(ofRequest ?? active, fields)
  return fields
}

/** The tracer of the registered provider. Without one, the API would create spans that are never exported. */
const currentTracer = (): Tracer | undefined => {
  const provider: TracerProvider & { getDelegateTracer?(name: string): Tracer | undefined } = trace.getTracerProvider()
  return provider.getDelegateTracer ? provider.getDelegateTracer('sluice') : provider.getTracer('sluice')
}

/** Repeated headers are joined with a comma, which is not valid in `traceparent`. */
const GETTER: TextMapGetter<Context> = { get: (ctx, name) => ctx.header(name) ?? undefined, keys: () => [] }

/** An active span, such as that of Node instrumentation, is a closer parent than the one in the request. */
const parentOf = (ctx: Context, trusts: (ctx: Context) => boolean): TraceContext => {
  const active = context.active()
  return trace.getSpan(active) || !trusts(ctx) ? active : propagation.extract(active, ctx, GETTER)
}

const nameOf = (method: string, pattern = ''): string => `${method === OTHER ? 'HTTP' : method} ${pattern}`.trim()

const endSpan = (span: Span, status: number, thrown: unknown): void => {
  span.setAttribute('http.response.status_code', status)
  // A thrown response is not an error
  if (thrown !== undefined && (thrown instanceof Error || !isResponse(thrown)))
    tryCall(() => span.recordException(toError(thrown)), undefined, report)
  const type = errorTypeOf(thrown, status)
  if (type !== undefined) {
    span.setAttribute('error.type', type)
    span.setStatus({ code: SpanStatusCode.ERROR })
  }
  span.end()
}
