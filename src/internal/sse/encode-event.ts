import { frame, type ServerSentEvent } from './sse-frame.ts'

const encoder = /* @__PURE__ */ new TextEncoder()

/** Larger events are not kept. */
const MAX_BYTES = 16_384

let last: ServerSentEvent = { data: undefined }
let lastBytes: Uint8Array = /* @__PURE__ */ new Uint8Array()

/**
 * Encode one event. The bytes of the last one are kept, because a sender with many clients sends the same event to
 * each; only the strings and numbers of an event are compared, since an object may have changed.
 *
 * @returns bytes that are shared and must not be changed
 * @throws {TypeError} as `frame` does.
 */
export const encodeEvent = (message: ServerSentEvent): Uint8Array => {
  if (Object(message) !== message) return encoder.encode(frame(message))
  const { data, event, id, retry } = message
  if (lastBytes.length && data === last.data && event === last.event && id === last.id && retry === last.retry)
    return lastBytes
  const copy = { data, event, id, retry } as ServerSentEvent
  const bytes = encoder.encode(frame(copy))
  if (typeof data === 'string' && Object(event) !== event && Object(id) !== id && bytes.length <= MAX_BYTES) {
    last = copy
    lastBytes = bytes
  }
  return bytes
}
