import type { ResponseBody } from '../contract.ts'

export const isStream = (body: ResponseBody): body is ReadableStream =>
  typeof body === 'object' && body !== null && !(body instanceof Uint8Array)

/**
 * Whether a stream was read or cancelled. `node:stream` is loaded with the first stream that is checked, not with the
 * package, because it loads 24 modules.
 */
export const isDisturbed = (stream: ReadableStream): boolean =>
  process.getBuiltinModule('node:stream').Readable.isDisturbed(stream as never) // never: types of another ReadableStream

/** A body can be sent once. Only `json()` and `text()` create responses that several requests can share. */
export const alreadyRead = (): Error =>
  new TypeError('The body of the response has been read already: create a response for each request')
