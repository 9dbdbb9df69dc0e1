import type { Middleware } from '../../context.ts'
import { receive, type SignedOptions, type WebhookMessage } from '../../internal/webhook/receive.ts'
import { STRIPE } from '../../internal/webhook/stripe.ts'
import { refuse } from '../../refuse.ts'

export type { WebhookMessage } from '../../internal/webhook/receive.ts'

/** Options of {@link stripeWebhook}: those of `webhook`, without `scheme`. */
export type StripeWebhookOptions = SignedOptions

/**
 * `webhook` of `sluice/middleware/webhook` for messages of Stripe alone, without the code of other schemes.
 *
 * Writes `ctx.state.webhook`. Responds with 401 for a signature that is missing or wrong, or too old.
 *
 * @throws {TypeError} when created, for a bad option.
 * @example
 * app.post('/hooks', stripeWebhook({ secret: env.WEBHOOK_SECRET }), async (ctx) => handle(await ctx.json()))
 */
export const stripeWebhook = (options: StripeWebhookOptions): Middleware<{ webhook: WebhookMessage }> =>
  receive('stripeWebhook', STRIPE, options, { refuse })
