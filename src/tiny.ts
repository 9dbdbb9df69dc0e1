export { createApp, type TinyApp, type TinyOptions } from './kernel/tiny.ts'
export type {
  TinyContext as Context,
  TinyHandler as Handler,
  TinyMethods as Respond,
  TinyMiddleware as Middleware,
} from './tiny/context.ts'
