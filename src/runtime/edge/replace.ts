import type { Replace } from '../contract.ts'
import { streamOf, withoutBody } from './response.ts'

/** A new stream may be made of the old one. If it is not, the platform drops the old one with the request. */
export const replace: Replace = (before, by) => {
  if (before && before !== by && !streamOf(by)) withoutBody(before)
  return by
}
