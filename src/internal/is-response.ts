/**
 * Whether a value is a response. Not `instanceof`: that would load the platform's class. An error may have a status and
 * headers too, and a record a body, but neither can be read as bytes. Not `clone`, which Fastly's class does not have.
 */
export const isResponse = (value: unknown): value is Response =>
  typeof (value as Response | undefined)?.status === 'number' && 'arrayBuffer' in (value as Response)
