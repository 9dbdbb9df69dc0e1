/**
 * Whether a stream was read or cancelled. `node:stream` is loaded with the first stream that is checked, not with the
 * package, because it loads 24 modules.
 */
export const isDisturbed = (stream: ReadableStream): boolean =>
  // never: Node's types have only its own streams
  process.getBuiltinModule('node:stream').Readable.isDisturbed(stream as never)

/**
 * A body can be sent once: a constant that several requests share needs `json()` or `text()`, which keep their content.
 */
export const alreadyRead = (): Error =>
  new TypeError('The body of the response has been read already: create a response for each request')
