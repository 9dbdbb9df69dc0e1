/**
 * Everything of an application in one import. `sluice/app`, `sluice/tiny` and `sluice/pipe` are smaller.
 *
 * @module
 */

export type {
  AppContext as Context,
  AppHandler as Handler,
  AppMiddleware as Middleware,
  Respond,
} from './app/context.ts'
export { type App, type AppOptions, createApp } from './app.ts'
export { type Config as ConfigStore, createConfig } from './config.ts'
export { Container, type Factory, type Token, token } from './container.ts'
export { type LoadEnvOptions, loadEnv } from './env/load-env.ts'
export { bindEnv, env } from './env.ts'
export { type Issue, ValidationError } from './errors/validation-error.ts'
export { HttpError, type HttpErrorOptions, toError, toResponse } from './errors.ts'
export { Config, Route } from './facade/built-in.ts'
export { createFacade, setFacadeContainer, withFacades } from './facade.ts'
export type { HeadersInput, ResponseOptions } from './internal/header/fields.ts'
export type { SealedSessionStore, SessionData, SessionStore } from './internal/session/session-store.ts'
export type { RateLimitHit, RateLimitStore } from './internal/store/rate-limit-store.ts'
export type { Awaitable, Execution, FieldList, Next, ResponseEdit, State } from './internal/types/context.ts'
export type { ParamsOf } from './internal/types/params.ts'
export { compose } from './kernel/compose.ts'
export { type AppFetch, type FetchOptions, toFetch } from './kernel/fetch.ts'
export { blank, type Plan, route, use } from './kernel/plan.ts'
export { group, mount } from './kernel/scope.ts'
export { type ApiVersionOptions, type ApiVersionState, apiVersion } from './middleware/api-version.ts'
export * from './middleware/body-parser.ts'
export { type CompressionOptions, compression } from './middleware/compression.ts'
export { type CorsOptions, cors, type OriginRule } from './middleware/cors.ts'
export { type CsrfCode, type CsrfOptions, csrf } from './middleware/csrf.ts'
export { type HelmetOptions, helmet } from './middleware/helmet.ts'
export { type LogEntry, type LoggerOptions, logger } from './middleware/logger.ts'
export { type RateLimiterOptions, rateLimiter } from './middleware/rate-limiter.ts'
export { type SanitizerOptions, sanitizer } from './middleware/sanitizer.ts'
export { type SessionOptions, session } from './middleware/session.ts'
export {
  type BodyValidation,
  type Validated,
  type ValidationFailure,
  type ValidationSource,
  type ValidatorOptions,
  validateBody,
  validateHeaders,
  validateParams,
  validateQuery,
  validator,
} from './middleware/validator.ts'
export { createHandler } from './pipe/create-handler.ts'
export { methodNotAllowed } from './pipe/method-not-allowed.ts'
export { pipe } from './pipe.ts'
export { ConfigServiceProvider, MiddlewareServiceProvider, RouteServiceProvider } from './provider/built-in.ts'
export { ServiceProvider } from './provider.ts'
export { html } from './respond/html.ts'
export { json } from './respond/json.ts'
export { redirect } from './respond/redirect.ts'
export { lastEventId, type Send, type Sender, type ServerSentEvent, sse } from './respond/sse.ts'
export { stream } from './respond/stream.ts'
export { text } from './respond/text.ts'
export type { ListenOptions, ServerHandle } from './runtime/serve-contract.ts'
export { destroySession, regenerateSession, sessionId } from './session.ts'
export { memoryRateLimit } from './stores/memory-rate-limit.ts'
export { memorySession } from './stores/memory-session.ts'
export * as z from './z.ts'
