import type { ResponseBody } from '../contract.ts'

export const isStream = (body: ResponseBody): body is ReadableStream =>
  typeof body === 'object' && body !== null && !(body instanceof Uint8Array)

/** Loads `node:stream` only when a stream is checked, because that loads 24 modules. */
export const isDisturbed = (stream: ReadableStream): boolean =>
  process.getBuiltinModule('node:stream').Readable.isDisturbed(stream as never) // never: Node's types lack it

/** Only `json()` and `text()` create responses that several requests can share. */
export const alreadyRead = (): Error =>
  new TypeError('The body of the response has been read already: create a response for each request')
