import type { App } from '../app.ts'
import { createFacade } from './create-facade.ts'

/**
 * The application's registration methods: `get`, `post`, `put`, `patch`, `delete`, `head`, `httpOptions`, `all`, `use`.
 *
 * @example
 * Route.get('/users/:id', (ctx) => ctx.json({ id: ctx.params.id }))
 */
export const Route: App = /* @__PURE__ */ createFacade<App>('router')
