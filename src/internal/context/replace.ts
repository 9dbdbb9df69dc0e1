import { adopt, streamOf } from '#runtime/response'
import { afterBody } from '../stream/after-body.ts'

/**
 * Let a response take the place of another. Nobody will read the stream of the one before, so it is cancelled, unless
 * the new one has taken it. A new stream may be made of the old one and not have begun to read it, as a generator has
 * not: then the old one is cancelled when the new one has ended.
 *
 * @returns the new response
 */
export const replace = (before: Response | undefined, by: Response): Response => {
  const dropped = before && before !== by && streamOf(before)
  if (!dropped || dropped.locked) return by
  const next = streamOf(by)
  if (next === dropped) return by
  const cancel = (): void => void dropped.cancel().catch(() => {})
  if (next) return afterBody(adopt(by), cancel)
  cancel()
  return by
}
