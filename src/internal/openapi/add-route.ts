import { normalizePattern } from '../route/pattern.ts'

/** Add a route that is not described. `document` has the options of the document that it serves. */
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

/** The prefix of a mounted application: the part of a path before `end`. */
export const prefixOf = (path: string, end: string): string | undefined => {
  const trimmed = path.replace(/(?<!\/)\/+$/, '')
  return trimmed.endsWith(end) ? trimmed.slice(0, trimmed.length - end.length) : undefined
}
