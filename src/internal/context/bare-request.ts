import type { RereadableRequest } from '../body/read-body.ts'

/** The request of a context, without adding readers to it, which would cost time for each request. */
export const bareRequest = (ctx: { readonly request: Request }): RereadableRequest =>
  (ctx as { readonly raw?: Request }).raw ?? ctx.request
