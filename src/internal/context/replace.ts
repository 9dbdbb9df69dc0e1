import { adopt, streamOf } from '#runtime/response'
import type { Replace } from '../../runtime/contract.ts'

/**
 * A new stream may be made of the old one and not have begun to read it, as a generator has not: then the old one is
 * cancelled when the new one has ended.
 */
export const replace: Replace = (before, by) => {
  const dropped = before && before !== by && streamOf(before)
  const next = dropped && streamOf(by)
  if (!dropped || dropped.locked || next === dropped) return by
  const cancel = (): unknown => dropped.cancel().catch(() => {})
  // One that was taken or read already fails where it is sent
  if (!next || next.locked || by.bodyUsed) {
    cancel()
    return by
  }
  const { readable, writable } = new TransformStream()
  const copy = adopt(by)
  // Rejects if the stream fails, and if the client disconnects
  next.pipeTo(writable).then(cancel, cancel)
  return new Response(readable, copy)
}
