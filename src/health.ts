import { createResponse, report } from '#runtime/core'
import type { PlanSource } from './app/routes.ts'
import { addRoute } from './internal/openapi/add-route.ts'
import { checkNames, checkOption } from './internal/options/check.ts'
import { checkFixedPath } from './internal/route/fixed-path.ts'
import { checkDelay } from './internal/time/delay.ts'
import { type HealthCheck, toCheck } from './internal/time/health-check.ts'
import type { AnyContext } from './internal/types/context.ts'
import { refuse } from './pipe/refuse.ts'
import { waitUntil } from './pipe/wait-until.ts'
import { drainSignal } from './signal.ts'

export type { HealthCheck }

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
  /** Time limit of a check, in milliseconds. @default 2000 */
  readonly timeoutMs?: number
  /** Path that reports whether the process is alive. @default '/livez' */
  readonly livePath?: string
  /** Path that reports whether the process accepts requests. @default '/readyz' */
  readonly readyPath?: string
  /** Your own drain signal, for a drain before `close()` or without it. @default only that of the server */
  readonly draining?: AbortSignal
  /** Clock, in milliseconds. @default performance.now */
  readonly now?: () => number
}

const NAMES = 'ready:object live:object timeoutMs livePath:string readyPath:string draining now:function'

/**
 * Respond to the probes of an orchestrator: returns a function that adds two routes to an application or a plan.
 *
 * `/livez` and `/readyz` respond with 200 `{ status: 'ok', checks }`, or 503 `{ error, code, checks }`, and with
 * `Cache-Control: no-store`. Checks run in parallel. The error of a check that starts to fail is logged. Readiness
 * fails without checks as soon as the server closes (see `sluice/signal`).
 *
 * @throws {TypeError} when created, for a bad option.
 * @example
 * health({ ready: { database: (signal) => ping(signal) } })(app)
 */
export const health = (options: HealthOptions = {}): (<To extends PlanSource>(to: To) => To) => {
  checkNames('health', options, NAMES)
  const { live = {}, ready = {}, livePath = '/livez', readyPath = '/readyz', draining } = options
  for (const [name, path] of Object.entries({ livePath, readyPath })) checkFixedPath(path, `health: ${name}`, '/readyz')
  checkOption(livePath !== readyPath, 'health: readyPath', 'another path than livePath', readyPath)
  const isSignal = draining === undefined || typeof draining?.aborted === 'boolean'
  checkOption(isSignal, 'health: draining', 'an AbortSignal', draining)
  const addProbe = (kind: 'live' | 'ready', path: string, checksOfKind: HealthChecks) => {
    const run = runTogether(kind, checksOfKind, options)
    async function health(ctx: AnyContext): Promise<Response> {
      const isDraining = (): boolean => kind === 'ready' && (draining?.aborted || drainSignal(ctx).aborted)
      const running = isDraining() ? Promise.resolve([]) : run()
      // Probes share the checks that run. On Workers, these would never end if the first probe left
      waitUntil(ctx, running)
      const results = await running
      const checks = Object.fromEntries(results)
      // The drain may have begun while the checks ran
      const code = isDraining() ? 'draining' : `not_${kind}`
      return code !== 'draining' && results.every(([, { status }]) => status === 'ok')
        ? createResponse(JSON.stringify({ status: 'ok', checks }), 'application/json', { headers: [FIELDS] })
        : refuse(ctx, 503, 'Service Unavailable', { code, checks }, FIELDS)
    }
    return addRoute(path, () => health)
  }
  const addLive = addProbe('live', livePath, live)
  const addReady = addProbe('ready', readyPath, ready)
  return (to) => addReady(addLive(to))
}

const FIELDS = ['cache-control', 'no-store'] as const

/** Returns a function that runs all checks at once. A failure is reported once, until the check has succeeded again. */
const runTogether = (
  kind: string,
  checks: HealthChecks,
  { timeoutMs = 2000, now = () => performance.now() }: HealthOptions,
) => {
  checkOption(checks && !(Symbol.iterator in checks), `health: ${kind}`, 'a plain object of checks', checks)
  checkDelay(timeoutMs, 'health: timeoutMs', 1)
  const prepared = Object.entries(checks).map(([name, definition]) => {
    const { check, timeoutMs: limitMs = timeoutMs } =
      typeof definition === 'function' ? { check: definition } : { ...definition }
    checkOption(typeof check === 'function', `health: ${kind}: ${name}`, 'a function', definition)
    checkDelay(limitMs, `health: ${kind}: ${name}: timeoutMs`, 1)
    return [name, toCheck(check, limitMs, now)] as const
  })
  const failing = new Set<string>()
  return () =>
    Promise.all(
      prepared.map(async ([name, check]) => {
        const { error, ...outcome } = await check()
        if (outcome.status === 'ok') failing.delete(name)
        else if (!failing.has(name)) {
          failing.add(name)
          report(new Error(`health: ${name} fails`, { cause: error }))
        }
        return [name, outcome] as const
      }),
    )
}
