/**
 * Whether a value, perhaps a thrown one, is a response. `instanceof` would load the platform's class. An error may have
 * a status and headers too, and a record a body, but neither can be read as bytes. A value that throws when it is read,
 * such as a revoked Proxy, is not a response.
 */
export const isResponse = (value: unknown): value is Response => {
  try {
    return (value as Response)?.status >= 0 && 'arrayBuffer' in (value as Response)
  } catch {
    return false
  }
}
