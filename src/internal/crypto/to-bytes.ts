/** A string as UTF-8; bytes unchanged. */
export const toBytes = (data: string | Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> =>
  typeof data === 'string' ? new TextEncoder().encode(data) : data
