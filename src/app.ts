export { type App, type AppOptions, createApp } from './app/app.ts'
export type {
  AppContext as Context,
  AppHandler as Handler,
  AppMiddleware as Middleware,
  Respond,
} from './app/context.ts'
