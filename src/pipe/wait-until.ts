import { report } from '#runtime/core'
import type { AnyContext } from '../internal/types/context.ts'

/**
 * Let work continue after the response was sent: a worker stays alive until the promise has settled, and `close()` of a
 * server waits for it, at most `graceMs`. A rejection is logged.
 *
 * @example
 * waitUntil(ctx, sendWelcomeMail(user))
 */
export const waitUntil = ({ execution }: Pick<AnyContext, 'execution'>, promise: Promise<unknown>): void => {
  const reported = promise.catch(report)
  execution?.waitUntil?.(reported)
}
