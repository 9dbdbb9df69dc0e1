import { normalizePattern } from '../route/pattern.ts'

/**
 * Add a route that is not in the OpenAPI document to an application, a group or a plan.
 *
 * @param document the options of the document that it serves
 */
export const addRoute =
  (path: string, handlerFor: (to: object) => (ctx: never) => unknown, document?: object) =>
  <To extends object>(to: To): To => {
    const handler = Object.assign(handlerFor(to), { describes: { hidden: true, document } })
    const app = to as { get?(path: string, handler: unknown): unknown; readonly routes?: readonly object[] }
    if (app.get) {
      app.get(path, handler)
      return to
    }
    const route = { method: 'GET', path: normalizePattern(path), middleware: [], handler }
    return { ...to, routes: [...app.routes!, route] }
  }

/** The part of a path before another path that it ends with: the prefix where an application was mounted. */
export const prefixOf = (path: string, end: string): string | undefined => {
  const trimmed = path.replace(/(?<!\/)\/+$/, '')
  return trimmed.endsWith(end) ? trimmed.slice(0, trimmed.length - end.length) : undefined
}
