import { normalizePattern } from '../route/pattern.ts'

/** A plan, as far as a route is added to it. */
interface Routed {
  readonly routes: readonly object[]
}

/**
 * Add a route that no document shows to an application, a group or a plan, whose handler may look at what it was added to.
 *
 * @param document what the document that it serves was given
 */
export const addRoute =
  (path: string, handlerFor: (to: object) => (ctx: never) => unknown, document?: object) =>
  <To extends object>(to: To): To => {
    const handler = Object.assign(handlerFor(to), { describes: { hidden: true, document } })
    const { get } = to as { get?: (path: string, handler: unknown) => unknown }
    if (get) {
      get.call(to, path, handler)
      return to
    }
    const added = { method: 'GET', path: normalizePattern(path), middleware: [], handler }
    return { ...to, routes: [...(to as unknown as Routed).routes, added] }
  }
