import type { Middleware } from '../../context.ts'
import { receive, type SignedOptions, type WebhookMessage } from '../../internal/webhook/receive.ts'
import { STANDARD } from '../../internal/webhook/standard.ts'
import { refuse } from '../../refuse.ts'

export type { WebhookMessage } from '../../internal/webhook/receive.ts'

/** Options of {@link standardWebhook}: those of `webhook`, without `scheme`. */
export type StandardWebhookOptions = SignedOptions

/**
 * `webhook` of `sluice/middleware/webhook` for messages of Standard Webhooks (Svix) alone, without the code of other
 * schemes.
 *
 * Writes `ctx.state.webhook`. Responds with 401 for a signature that is missing or wrong, or too old.
 *
 * @throws {TypeError} when created, for a bad option.
 * @example
 * app.post('/hooks', standardWebhook({ secret: env.WEBHOOK_SECRET }), async (ctx) => handle(await ctx.json()))
 */
export const standardWebhook = (options: StandardWebhookOptions): Middleware<{ webhook: WebhookMessage }> =>
  receive('standardWebhook', STANDARD, options, { refuse })
