import { createResponse } from '#runtime/response'
import type { Awaitable, Context } from './context.ts'
import { drainSignal } from './drain-signal.ts'
import { toError } from './errors.ts'
import { attempt } from './internal/awaitable.ts'
import { report } from './internal/error/report.ts'
import { type Look, type Outcome, toCheck } from './internal/health/check.ts'
import { LONGEST_DELAY } from './internal/longest-delay.ts'
import { addRoute } from './internal/openapi/add-route.ts'
import { checkNames, checkOption, checkWhole } from './internal/options.ts'
import { checkFixedPath } from './internal/route/fixed-path.ts'
import { refuse } from './refuse.ts'
import type { HasPlan } from './routes.ts'

/**
 * Looks at one thing that the application needs. It fails if it throws, rejects or gives `false`. The signal aborts when
 * its time is over.
 */
export type HealthCheck = (signal: AbortSignal) => Awaitable<unknown>

/** Checks by name: a function, or one with a time of its own. */
export type HealthChecks = Readonly<
  Record<string, HealthCheck | { readonly check: HealthCheck; readonly timeoutMs: number }>
>

/** Options of {@link health}. */
export interface HealthOptions {
  /** What must work for requests to be answered: a database, a queue. @default none */
  readonly ready?: HealthChecks
  /** What only a restart repairs: nothing that depends on other machines. @default none */
  readonly live?: HealthChecks
  /**
   * Longest time of a check, in milliseconds. A check that goes on is not started again until it has ended, so make it
   * stop when its signal aborts. @default 2000
   */
  readonly timeoutMs?: number
  /** Path that tells whether the process is alive. @default '/livez' */
  readonly livePath?: string
  /** Path that tells whether the process accepts requests. @default '/readyz' */
  readonly readyPath?: string
  /** Who may read the messages of errors, which show internals. @default nobody */
  readonly showErrors?: boolean | ((ctx: Context) => boolean)
  /** Called when a check begins to fail. An error that it throws is printed. @default console.error */
  readonly onFailure?: (name: string, error: unknown) => void
  /** A drain that you begin yourself, before `close()` or in place of it. @default that of the server alone */
  readonly draining?: AbortSignal
  /** Clock, in milliseconds. @default performance.now */
  readonly now?: () => number
}

const NAMES =
  'ready:object live:object timeoutMs livePath:string readyPath:string showErrors onFailure:function draining ' +
  'now:function'

/**
 * Answer the probes of an orchestrator: a function that adds two routes to an application, or to a plan.
 *
 * `/livez` and `/readyz` answer 200 `{ status: 'ok', checks }`, or 503 `{ error, code, checks }` with what failed.
 * Checks run together. Readiness fails as soon as the server closes (see `sluice/drain-signal`), and runs no check then.
 * Answers are not kept (`Cache-Control: no-store`), and have no `Retry-After`: a probe has its own interval.
 *
 * @throws {TypeError} when made, for a bad option.
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
  const fine = draining === undefined || typeof draining?.aborted === 'boolean'
  checkOption(fine, 'health: draining', 'an AbortSignal', draining)
  // Only true shows them: the promise of an async function does not
  const shows = (ctx: Context): boolean => (typeof showErrors === 'function' ? showErrors(ctx) : showErrors) === true

  const answer = (ctx: Context, results: Results, code?: string): Awaitable<Response> => {
    const withErrors = shows(ctx)
    const checks = Object.fromEntries(results.map(([name, outcome]) => [name, shown(outcome, withErrors)]))
    return code
      ? refuse(ctx, 503, 'Service Unavailable', { code, checks }, FIELDS)
      : createResponse(JSON.stringify({ status: 'ok', checks }), 'application/json', { headers: [FIELDS] })
  }
  const isDraining = (ctx: Context): boolean => draining?.aborted || drainSignal(ctx).aborted
  const runLive = together('live', live, options)
  const runReady = together('ready', ready, options)
  // any: contexts of any state
  const lives = async (ctx: Context<any>): Promise<Response> => {
    const results = await runLive()
    return answer(ctx, results, results.every(isOk) ? undefined : 'not_live')
  }
  const isReady = async (ctx: Context<any>): Promise<Response> => {
    const results = isDraining(ctx) ? [] : await runReady()
    // It may have begun while the checks ran
    if (isDraining(ctx)) return answer(ctx, results, 'draining')
    return answer(ctx, results, results.every(isOk) ? undefined : 'not_ready')
  }
  const addLive = addRoute(livePath, () => lives)
  const addReady = addRoute(readyPath, () => isReady)
  return (to) => addReady(addLive(to))
}

/** Outcomes by name, in the order of the checks. */
type Results = readonly (readonly [name: string, outcome: Outcome])[]

const FIELDS = ['cache-control', 'no-store'] as const

const isOk = ([, { status }]: Results[number]): boolean => status === 'ok'

/** Run all checks at once. What begins to fail is told once, until it has worked again. */
const together = (kind: string, checks: HealthChecks, options: HealthOptions): (() => Promise<Results>) => {
  const { timeoutMs = 2000, now = () => performance.now() } = options
  const { onFailure = (name: string, cause: unknown) => report(new Error(`health: ${name} fails`, { cause })) } =
    options
  checkOption(checks && !(Symbol.iterator in checks), `health: ${kind}`, 'a plain object of checks', checks)
  checkTime(timeoutMs, 'health: timeoutMs')
  const prepared = Object.entries(checks).map(([name, given]) => {
    const { check, timeoutMs: own = timeoutMs } = typeof given === 'function' ? { check: given } : { ...given }
    checkOption(typeof check === 'function', `health: ${kind}: ${name}`, 'a function', given)
    checkTime(own, `health: ${kind}: ${name}: timeoutMs`)
    return [name, toCheck(check as Look, own, now)] as const
  })
  const failing = new Set<string>()
  return () =>
    Promise.all(
      prepared.map(async ([name, check]) => {
        const outcome = await check()
        if (outcome.status === 'ok') failing.delete(name)
        else if (!failing.has(name)) {
          failing.add(name)
          attempt(() => onFailure(name, outcome.error), undefined, report)
        }
        return [name, outcome] as const
      }),
    )
}

const checkTime = (ms: number, name: string): void => {
  checkWhole(ms, name, 'milliseconds', 1)
  checkOption(ms <= LONGEST_DELAY, name, `at most ${LONGEST_DELAY}`, ms)
}

/** An outcome as a probe may read it. */
const shown = ({ status, durationMs, error }: Outcome, withError: boolean): object => ({
  status,
  durationMs,
  ...(withError && status !== 'ok' && { error: toError(error).message }),
})
