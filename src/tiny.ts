export { createApp, type TinyApp, type TinyOptions } from './app/tiny.ts'
export type {
  TinyContext as Context,
  TinyHandler as Handler,
  TinyMethods as Respond,
  TinyMiddleware as Middleware,
} from './app/tiny-context.ts'
