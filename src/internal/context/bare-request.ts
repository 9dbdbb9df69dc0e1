/** The request of a context, without adding readers to it, which would cost time for each request. */
export const bareRequest = (ctx: { readonly request: Request }): Request =>
  (ctx as { readonly raw?: Request }).raw ?? ctx.request
