import type { AppFetch } from '../kernel/fetch.ts'

/**
 * The export of a worker: an object with `fetch`.
 *
 * @example
 * export default createHandler(app)
 */
export const createHandler = <Env>(app: { readonly fetch: AppFetch<Env> }): { fetch: AppFetch<Env> } => ({
  fetch: app.fetch,
})
