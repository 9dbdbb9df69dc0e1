import type { RouteInfo } from '../../src/pipe/list-routes.ts'

/** Middleware that needs another one to have run, and what happens otherwise. */
interface Rule {
  /** What runs too early. */
  readonly early: readonly string[]
  /** What must run before it. */
  readonly first: string
  readonly effect: string
}

const RULES: readonly Rule[] = [
  { early: ['csrf'], first: 'session', effect: 'a token is not bound to the session' },
  { early: ['csrf'], first: 'bodyParser', effect: 'the token of a form is not found' },
  { early: ['sanitizer'], first: 'bodyParser', effect: 'the body is not cleaned' },
  { early: ['session', 'csrf'], first: 'trustedProxy', effect: 'the scheme and the host are those of the proxy' },
  {
    early: ['basicAuth', 'bearerAuth', 'apiKey', 'jwt', 'rateLimiter'],
    first: 'cors',
    effect: 'preflights may be refused, and scripts of other origins cannot read a refusal',
  },
]

/** Most routes that are looked at: a check of development must not take seconds of each start. */
const MOST_ROUTES = 2000

/**
 * Middleware that runs before what it needs, each pair once, with the first route that has it.
 *
 * @param steps the middleware of these routes, in the same order, for its options
 * @returns lines such as `GET /users: csrf runs before session, so a token is not bound to the session`
 */
export const orderProblems = (routes: readonly RouteInfo[], steps: readonly (readonly object[])[] = []): string[] => {
  const found = new Map<string, string>()
  for (const [at, { method, path, middleware }] of routes.slice(0, MOST_ROUTES).entries()) {
    const unbound = middleware.filter((_, index) => !bindsItself(steps[at]?.[index]))
    for (const { early, first, effect } of RULES) {
      const names = first === 'session' ? unbound : middleware
      for (const name of early) {
        const pair = `${name} runs before ${first}`
        if (!found.has(pair) && precedes(names, name, first))
          found.set(pair, `${method} ${path}: ${pair}, so ${effect}`)
      }
    }
  }
  return [...found.values()]
}

/** Whether it is a `csrf` with `getSessionId`: that one needs no session in front of it. */
const bindsItself = (step: object = {}): boolean => {
  const { inner = step } = step as { readonly inner?: object }
  return 'ownId' in inner && inner.ownId === true
}

/** Whether one runs before the other. Those of two different paths need not run for the same request. */
const precedes = (middleware: readonly string[], early: string, first: string): boolean => {
  const placed = middleware.map((entry) => entry.split(' ', 2))
  const last = placed.findLastIndex(([name]) => name === first)
  const before = placed.findIndex(([name]) => name === early)
  if (before === -1 || before > last || placed.slice(0, before).some(([name]) => name === first)) return false
  const [, here] = placed[before] ?? []
  const [, there] = placed[last] ?? []
  return here === undefined || there === undefined || here === there
}
