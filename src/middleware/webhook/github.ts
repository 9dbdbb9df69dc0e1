import type { Middleware } from '../../context.ts'
import { GITHUB } from '../../internal/webhook/github.ts'
import { receive, type SignedOptions, type WebhookMessage } from '../../internal/webhook/receive.ts'
import { refuse } from '../../refuse.ts'

export type { WebhookMessage } from '../../internal/webhook/receive.ts'

/** Options of {@link githubWebhook}: those of `webhook`, without `scheme`. */
export type GithubWebhookOptions = SignedOptions

/**
 * `webhook` of `sluice/middleware/webhook` for messages of GitHub alone, without the code of other schemes.
 *
 * Writes `ctx.state.webhook`. Responds with 401 for a signature that is missing or wrong.
 *
 * @throws {TypeError} when created, for a bad option.
 * @example
 * app.post('/hooks', githubWebhook({ secret: env.WEBHOOK_SECRET }), async (ctx) => handle(await ctx.json()))
 */
export const githubWebhook = (options: GithubWebhookOptions): Middleware<{ webhook: WebhookMessage }> =>
  receive('githubWebhook', GITHUB, options, { refuse })
