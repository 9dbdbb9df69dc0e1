import { createResponse, report } from '#runtime/core'
import { toError } from './errors.ts'
import { type HealthProbe, type Outcome, toCheck } from './internal/health/check.ts'
import { addRoute } from './internal/openapi/add-route.ts'
import { checkNames, checkOption } from './internal/options/check.ts'
import { tryCall } from './internal/promise/awaitable.ts'
import { checkFixedPath } from './internal/route/fixed-path.ts'
import { checkDelay } from './internal/time/delay.ts'
import type { AnyContext, Awaitable, Context } from './internal/types/context.ts'
import type { HasPlan } from './kernel/routes.ts'
import { refuse } from './pipe/refuse.ts'
import { waitUntil } from './pipe/wait-until.ts'
import { drainSignal } from './signal/drain-signal.ts'

/**
 * Checks one thing that the application needs. It fails if it throws, rejects or returns `false`. The signal aborts
 * when its time is up.
 */
export type HealthCheck = (signal: AbortSignal) => Awaitable<unknown>

/** Checks by name: a function, or a function with its own time limit. */
export type HealthChecks = Readonly<
  Record<string, HealthCheck | { readonly check: HealthCheck; readonly timeoutMs: number }>
>

/** Options of {@link health}. */
export interface HealthOptions {
  /** Checks of what requests need: a database, a queue. @default none */
  readonly ready?: HealthChecks
  /** Checks of what only a restart can repair: nothing that depends on other machines. @default none */
  readonly live?: HealthChecks
  /**
   * Time limit of a check, in milliseconds. A check that continues after it is not started again until it has ended, so
   * stop when the signal aborts. @default 2000
   */
  readonly timeoutMs?: number
  /** Path that reports whether the process is alive. @default '/livez' */
  readonly livePath?: string
  /** Path that reports whether the process accepts requests. @default '/readyz' */
  readonly readyPath?: string
  /** Whether responses contain error messages, which reveal internals. @default false */
  readonly showErrors?: boolean | ((ctx: Context) => boolean)
  /** Called when a check starts to fail. If it throws, the error is printed. @default console.error */
  readonly onFailure?: (name: string, error: unknown) => void
  /** Your own drain signal, for a drain before `close()` or without it. @default only that of the server */
  readonly draining?: AbortSignal
  /** Clock, in milliseconds. @default performance.now */
  readonly now?: () => number
}

const NAMES =
  'ready:object live:object timeoutMs livePath:string readyPath:string showErrors onFailure:function draining ' +
  'now:function'

/**
 * Respond to the probes of an orchestrator: returns a function that adds two routes to an application or a plan.
 *
 * `/livez` and `/readyz` respond with 200 `{ status: 'ok', checks }`, or 503 `{ error, code, checks }` with what
 * failed. Checks run in parallel. Readiness fails as soon as the server closes (see `sluice/signal`), and runs no
 * checks then. Responses are not cacheable (`Cache-Control: no-store`), and have no `Retry-After`, because a probe has
 * its own interval.
 *
 * @throws {TypeError} when created, for a bad option.
 * @example
 * health({ ready: { database: (signal) => ping(signal) } })(app)
 */
export const health = (options: HealthOptions = {}): (<To extends HasPlan>(to: To) => To) => {
  checkNames('health', options, NAMES)
  const { live = {}, ready = {}, livePath = '/livez', readyPath = '/readyz', draining, showErrors = false } = options
  checkOption(
    typeof showErrors === 'boolean' || typeof showErrors === 'function',
    'health: showErrors',
    'a boolean or a function',
    showErrors,
  )
  for (const [name, path] of Object.entries({ livePath, readyPath })) checkFixedPath(path, `health: ${name}`, '/readyz')
  checkOption(livePath !== readyPath, 'health: readyPath', 'another path than livePath', readyPath)
  const isSignal = draining === undefined || typeof draining?.aborted === 'boolean'
  checkOption(isSignal, 'health: draining', 'an AbortSignal', draining)
  // Only `true` shows them: the promise of an async function is not `true`, and its error is reported
  const shows = (ctx: Context): boolean =>
    (typeof showErrors === 'function' ? tryCall(showErrors, ctx, report) : showErrors) === true

  const respond = (ctx: Context, results: Results, code?: string): Awaitable<Response> => {
    const withErrors = shows(ctx)
    const checks = Object.fromEntries(results.map(([name, outcome]) => [name, toPublic(outcome, withErrors)]))
    return code
      ? refuse(ctx, 503, 'Service Unavailable', { code, checks }, FIELDS)
      : createResponse(JSON.stringify({ status: 'ok', checks }), 'application/json', { headers: [FIELDS] })
  }
  const isDraining = (ctx: Context): boolean => draining?.aborted || drainSignal(ctx).aborted
  const runLive = runTogether('live', live, options)
  const runReady = runTogether('ready', ready, options)
  /** Probes share the checks that run. On Workers, these would never end if the first probe left. */
  const keepAlive = (ctx: AnyContext, running: Promise<Results>): Promise<Results> => {
    waitUntil(ctx, running)
    return running
  }
  const lives = async (ctx: AnyContext): Promise<Response> => {
    const results = await keepAlive(ctx, runLive())
    return respond(ctx, results, results.every(isOk) ? undefined : 'not_live')
  }
  const isReady = async (ctx: AnyContext): Promise<Response> => {
    const results = isDraining(ctx) ? [] : await keepAlive(ctx, runReady())
    // The drain may have begun while the checks ran
    if (isDraining(ctx)) return respond(ctx, results, 'draining')
    return respond(ctx, results, results.every(isOk) ? undefined : 'not_ready')
  }
  const addLive = addRoute(livePath, () => lives)
  const addReady = addRoute(readyPath, () => isReady)
  return (to) => addReady(addLive(to))
}

/** Outcomes by name, in the order of the checks. */
type Results = readonly (readonly [name: string, outcome: Outcome])[]

const FIELDS = ['cache-control', 'no-store'] as const

const isOk = ([, { status }]: Results[number]): boolean => status === 'ok'

/** Run all checks at once. A check that starts to fail is reported once, until it has succeeded again. */
const runTogether = (kind: string, checks: HealthChecks, options: HealthOptions): (() => Promise<Results>) => {
  const { timeoutMs = 2000, now = () => performance.now() } = options
  const { onFailure = (name: string, cause: unknown) => report(new Error(`health: ${name} fails`, { cause })) } =
    options
  checkOption(checks && !(Symbol.iterator in checks), `health: ${kind}`, 'a plain object of checks', checks)
  checkDelay(timeoutMs, 'health: timeoutMs', 1)
  const prepared = Object.entries(checks).map(([name, definition]) => {
    const { check, timeoutMs: limitMs = timeoutMs } =
      typeof definition === 'function' ? { check: definition } : { ...definition }
    checkOption(typeof check === 'function', `health: ${kind}: ${name}`, 'a function', definition)
    checkDelay(limitMs, `health: ${kind}: ${name}: timeoutMs`, 1)
    return [name, toCheck(check as HealthProbe, limitMs, now)] as const
  })
  const failing = new Set<string>()
  return () =>
    Promise.all(
      prepared.map(async ([name, check]) => {
        const outcome = await check()
        if (outcome.status === 'ok') failing.delete(name)
        else if (!failing.has(name)) {
          failing.add(name)
          tryCall(() => onFailure(name, outcome.error), undefined, report)
        }
        return [name, outcome] as const
      }),
    )
}

/** The outcome in the response to a probe. */
const toPublic = ({ status, durationMs, error }: Outcome, withError: boolean): object => ({
  status,
  durationMs,
  ...(withError && status !== 'ok' && { error: toError(error).message }),
})
