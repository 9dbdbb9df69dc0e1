/**
 * The door of functions: each step returns a new plan with one more entry. A bundle contains only what you import.
 *
 * @example
 * import { blank, pipe, route, text, toFetch, use } from 'sluice/pipe'
 *
 * export const fetch = pipe(blank, route('GET', '/', () => text('hello')), toFetch)
 *
 * @module
 */

export type { PlanSource, Route, RouteMethod, Routes } from './app/routes.ts'
export type { AnySchema, InputOf, OutputOf } from './internal/types/any-schema.ts'
export type {
  AnyContext,
  AnyMiddleware,
  AnyState,
  Awaitable,
  Context,
  Contract,
  Data,
  Execution,
  FieldList,
  Handler,
  Middleware,
  Next,
  RequestInput,
  ResponseEdit,
  ResponsesByStatus,
  State,
  TypedResponse,
} from './internal/types/context.ts'
export type { ParamsOf } from './internal/types/params.ts'
export type { Use } from './internal/types/plan-steps.ts'
export { type Chain, compose } from './kernel/compose.ts'
export { onResponse } from './kernel/edits.ts'
export { type AppFetch, type FetchOptions, type OnError, toFetch } from './kernel/fetch.ts'
export {
  type AddRoute,
  type AnyPlan,
  blank,
  type HandlerList,
  type Plan,
  type PlannedRoute,
  route,
  type ToRoutes,
  use,
} from './kernel/plan.ts'
export { at, basePath, group, mount } from './kernel/scope.ts'
export { createHandler } from './pipe/create-handler.ts'
export {
  explainRequest,
  listRoutes,
  type RequestExplanation,
  type RouteInfo,
  routesWithMiddleware,
} from './pipe/list-routes.ts'
export { methodNotAllowed } from './pipe/method-not-allowed.ts'
export { type Pipe, pipe } from './pipe/pipe.ts'
export { refuse } from './pipe/refuse.ts'
export { routePattern } from './pipe/route-pattern.ts'
export { validate } from './pipe/validate.ts'
export { waitUntil } from './pipe/wait-until.ts'
export { readBytes } from './read/bytes.ts'
export { readForm } from './read/form.ts'
export { readInput } from './read/input.ts'
export { readJson } from './read/json.ts'
export { readText } from './read/text.ts'
export { type HtmlBody, html } from './respond/html.ts'
export { json } from './respond/json.ts'
export { redirect } from './respond/redirect.ts'
export { redirectBack } from './respond/redirect-back.ts'
export * from './respond/sse.ts'
export { type StreamSource, stream } from './respond/stream.ts'
export { text } from './respond/text.ts'
