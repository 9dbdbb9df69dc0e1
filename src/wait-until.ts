import type { Context } from './context.ts'
import { report } from './internal/error/report.ts'

/**
 * Let work go on after the answer has left: a worker is kept until the promise has settled, and `close()` of a server waits
 * for it as long as `graceMs`. What it rejects with is logged.
 *
 * @example
 * waitUntil(ctx, sendWelcomeMail(user))
 */
export const waitUntil = ({ execution }: Pick<Context<any, any>, 'execution'>, promise: Promise<unknown>): void => {
  const reported = promise.catch(report)
  execution?.waitUntil?.(reported)
}
