import type { AppFetch } from './to-fetch.ts'

/**
 * What a worker exports: an object whose `fetch` answers.
 *
 * @example
 * export default createHandler(app)
 */
export const createHandler = <Env>(app: { readonly fetch: AppFetch<Env> }): { fetch: AppFetch<Env> } => ({
  fetch: app.fetch,
})
