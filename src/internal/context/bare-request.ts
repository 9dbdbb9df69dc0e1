/** The request of a context without readers of its own, which cost each request that asks for them. */
export const bareRequest = (ctx: { readonly request: Request }): Request =>
  (ctx as { readonly raw?: Request }).raw ?? ctx.request
