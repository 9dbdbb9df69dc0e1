/**
 * Whether a stream was read or cancelled. `node:stream` is loaded with the first stream that is asked about, and not with
 * the package: it opens 24 modules.
 */
export const isDisturbed = (stream: ReadableStream): boolean =>
  // never: Node's types know its own streams only
  process.getBuiltinModule('node:stream').Readable.isDisturbed(stream as never)
