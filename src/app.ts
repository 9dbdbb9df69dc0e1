export type {
  AppContext as Context,
  AppHandler as Handler,
  AppMiddleware as Middleware,
  Respond,
} from './app/context.ts'
export { type App, type AppOptions, createApp } from './kernel/app.ts'
