import { checkOption } from '../internal/options/check.ts'
import type { Middleware } from '../internal/types/context.ts'
import { GITHUB } from '../internal/webhook/github.ts'
import { NAMES, receive, type SignedOptions, type WebhookMessage } from '../internal/webhook/receive.ts'
import { STANDARD } from '../internal/webhook/standard.ts'
import { STRIPE } from '../internal/webhook/stripe.ts'
import { refuse } from '../pipe/refuse.ts'

export type { WebhookMessage } from '../internal/webhook/receive.ts'

/** The names of the signature schemes. */
export type WebhookScheme = 'standard' | 'github' | 'stripe'

/** Options of {@link webhook}. */
export interface WebhookOptions extends SignedOptions {
  /** Signature scheme: `standard` (Standard Webhooks, Svix), `github` or `stripe`. */
  readonly scheme: WebhookScheme
}

/**
 * Accept only webhook messages that are signed by their sender. The raw body is checked, and stays readable.
 *
 * Writes `ctx.state.webhook`. Responds with 401 for a signature that is missing, wrong or too old. With a `store`, a
 * message that was already handled successfully gets 200 and is not handled again; one that failed may be sent again.
 *
 * @throws {TypeError} when created, for a bad option.
 * @example
 * app.post('/hooks/stripe', webhook({ scheme: 'stripe', secret: env.STRIPE_SECRET }), handle)
 */
export const webhook = (options: WebhookOptions): Middleware<{ webhook: WebhookMessage }> => {
  const scheme = [STANDARD, GITHUB, STRIPE].find(({ name }) => name === options?.scheme)
  checkOption(scheme, 'webhook: scheme', 'one of standard, github, stripe', options?.scheme)
  return receive('webhook', scheme, options, { refuse }, `scheme ${NAMES}`)
}
