import { normalizePattern } from '../route/pattern.ts'

/** The part of a plan that is needed to add a route. */
interface PlanRoutes {
  readonly routes: readonly object[]
}

/**
 * Add a route to an application, a group or a plan. The route is not in the OpenAPI document, and its handler can read
 * what it was added to.
 *
 * @param document the options of the document that it serves
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
    return { ...to, routes: [...(to as PlanRoutes).routes, added] }
  }
