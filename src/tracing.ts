import {
  type Attributes,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  type Context as TraceContext,
  type Tracer,
  type TracerProvider,
  trace,
} from '@opentelemetry/api'
import type { Context, Middleware } from './context.ts'
import { toError } from './errors.ts'
import { attempt, noteError } from './internal/awaitable.ts'
import { report } from './internal/error/report.ts'
import { isResponse } from './internal/is-response.ts'
import { checkNames, checkOption } from './internal/options.ts'
import { errorTypeOf, methodOf, OTHER, schemeOf } from './internal/telemetry/attributes.ts'
import { onResponse } from './on-response.ts'
import { routePattern } from './route-pattern.ts'

/** Options of {@link tracing}. */
export interface TracingOptions {
  /** Makes the spans. @default that of the provider that is registered, if there is one */
  readonly tracer?: Tracer
  /**
   * Whether `traceparent` of a request is gone on with: its sender chooses the trace, and whether it is kept. So does its
   * `baggage`, if the registered propagator reads it: {@link traceHeaders} passes it on to other services, as it came. At
   * an edge that anybody reaches, say false or for whom. @default true
   */
  readonly trust?: boolean | ((ctx: Context) => boolean)
  /** Requests without a span, such as probes. @default none */
  readonly skip?: (ctx: Context) => boolean
  /** Further attributes of a span, which a sampler sees. @default none */
  readonly attributes?: (ctx: Context) => Attributes
}

/**
 * Make a span of each request, by the conventions of OpenTelemetry (HTTP server spans), through the package
 * `@opentelemetry/api`, which is a peer to install.
 *
 * The span is named `GET /users/:id`, and `GET` where no route matched. It goes on with the trace of `traceparent` (W3C
 * Trace Context, by the propagator that is registered; what is malformed is ignored), and is the active span of the
 * handler where a context manager is registered. It ends with the answer's header. What was thrown is recorded; only
 * answers from 500 on make it an error.
 *
 * Without a provider a request costs one look and nothing else. Register it first.
 *
 * @throws {TypeError} when made, for a bad option.
 * @example
 * app.use(tracing()).get('/users/:id', (ctx) => fetch(usersUrl, { headers: traceHeaders(ctx) }))
 */
export const tracing = (options: TracingOptions = {}): Middleware => {
  checkNames('tracing', options, 'tracer:object trust skip:function attributes:function')
  const { tracer: own, trust = true, skip, attributes } = options
  const fine = typeof trust === 'boolean' || typeof trust === 'function'
  checkOption(fine, 'tracing: trust', 'a boolean or a function', trust)
  // Only true trusts: the promise of an async function does not
  const trusts = (ctx: Context): boolean => (typeof trust === 'function' ? trust(ctx) : trust) === true

  return function tracing(ctx, next) {
    const tracer = own ?? registered()
    if (!tracer || skip?.(ctx)) return next()
    const method = methodOf(ctx.method)
    const pattern = routePattern(ctx)
    const about: Attributes = {
      'http.request.method': method,
      'url.path': ctx.path,
      'url.scheme': schemeOf(ctx.request),
      'user_agent.original': ctx.header('user-agent') ?? undefined,
      'http.request.method_original': method === OTHER ? ctx.method : undefined,
      ...attributes?.(ctx),
    }
    const kind = SpanKind.SERVER
    const parent = parentOf(ctx, trusts)
    const span = tracer.startSpan(nameOf(method, pattern), { kind, attributes: about }, parent)
    const inside = trace.setSpan(parent, span)
    Object.assign(ctx as Traced, { '~trace': inside })
    if (!span.isRecording()) return context.with(inside, next)
    let thrown: unknown
    onResponse(ctx, ({ status }) => {
      const route = routePattern(ctx)
      if (route !== pattern) span.updateName(nameOf(method, route))
      if (route !== undefined) span.setAttribute('http.route', route)
      endSpan(span, status, thrown)
    })
    return noteError(
      () => context.with(inside, next),
      (error) => {
        thrown = error
      },
    )
  }
}

/**
 * The fields that take the trace along to another service: `traceparent` and what else the registered propagator writes,
 * such as the `baggage` of a request that is trusted. None without a span.
 *
 * @param ctx needed where no context manager is registered, as on most edges
 * @example
 * await fetch('https://users.example/7', { headers: traceHeaders(ctx) })
 */
export const traceHeaders = (ctx?: object): Record<string, string> => {
  const active = context.active()
  const fields: Record<string, string> = {}
  // The active span may be one that the handler has made
  propagation.inject(trace.getSpan(active) ? active : ((ctx as Traced | undefined)?.['~trace'] ?? active), fields)
  return fields
}

/** The slot of a context that has a span. */
interface Traced {
  '~trace'?: TraceContext
}

const NAME = 'sluice'

/** The tracer of the provider that is registered now: without one, the API's own makes spans that nobody sees. */
const registered = (): Tracer | undefined => {
  const provider = trace.getTracerProvider() as TracerProvider & {
    getDelegateTracer?(name: string): Tracer | undefined
  }
  return provider.getDelegateTracer ? provider.getDelegateTracer(NAME) : provider.getTracer(NAME)
}

/** Fields that come twice are one with a comma, which no `traceparent` has. */
const GETTER: TextMapGetter<Context> = { get: (ctx, name) => ctx.header(name) ?? undefined, keys: () => [] }

/** A span that is there already, as instrumentation of Node makes it, is nearer than the one that was sent. */
const parentOf = (ctx: Context, trusts: (ctx: Context) => boolean): TraceContext => {
  const active = context.active()
  return trace.getSpan(active) || !trusts(ctx) ? active : propagation.extract(active, ctx, GETTER)
}

const nameOf = (method: string, pattern: string | undefined): string => {
  const shown = method === OTHER ? 'HTTP' : method
  return pattern === undefined ? shown : `${shown} ${pattern}`
}

const endSpan = (span: Span, status: number, thrown: unknown): void => {
  span.setAttribute('http.response.status_code', status)
  // A thrown response is an answer
  if (thrown !== undefined && (thrown instanceof Error || !isResponse(thrown)))
    attempt(() => span.recordException(toError(thrown)), undefined, report)
  const type = errorTypeOf(thrown, status)
  if (type !== undefined) {
    span.setAttribute('error.type', type)
    span.setStatus({ code: SpanStatusCode.ERROR })
  }
  span.end()
}
