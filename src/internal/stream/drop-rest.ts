/**
 * Cancel the rest of a stream and release it: a server takes a locked body for one that is still read. Not awaited,
 * because with a copy of the request, `cancel` waits for that copy.
 */
export const dropRest = (reader: ReadableStreamDefaultReader | undefined): void => {
  reader?.cancel().catch(() => {})
  reader?.releaseLock()
}
