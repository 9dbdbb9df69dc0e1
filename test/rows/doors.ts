import { createApp } from 'sluice'
import { blank, pipe, toFetch, use } from 'sluice/pipe'
import { patternRoute, patterns } from 'sluice/router/patterns'

// any: steps of every type, through doors whose types have tests of their own
type Step = (ctx: any, next: any) => any
export type Routes = readonly (readonly [path: string, ...Step[]])[]

/** Asks an application for a path; the method is a GET unless `init` says otherwise. */
export type Ask = (path: string, init?: RequestInit) => Promise<Response>
/** `adds` are functions over an application or a plan, such as `health()`. */
export type Build = (steps: readonly Step[], routes: Routes, ...adds: readonly ((to: any) => any)[]) => Ask

const asking =
  (fetch: (request: Request) => Response | Promise<Response>): Ask =>
  async (path, init) =>
    fetch(new Request(`http://localhost${path}`, init))

/** Both doors; a route takes every method. */
export const doors: Readonly<Record<string, Build>> = {
  createApp(steps, routes, ...adds) {
    const app: any = createApp({ patterns })
    for (const step of steps) app.use(step)
    for (const [path, ...handlers] of routes) app.all(path, ...handlers)
    for (const add of adds) add(app)
    return asking((request) => app.fetch(request))
  },
  pipe(steps, routes, ...adds) {
    let plan: any = blank
    for (const step of steps) plan = use(step)(plan)
    for (const [path, ...handlers] of routes) plan = (patternRoute as any)('*', path, ...handlers)(plan)
    for (const add of adds) plan = add(plan)
    return asking(pipe(plan, toFetch as any) as never)
  },
}
