import type { ReadWhole } from '../contract.ts'

/** A request, and the mark of the servers that enforce a `Content-Length`. */
export type Measured = Request & { '~measured'?: boolean }

/** For requests of our own servers. For a chunked body, the length is not reliable. */
export const readWhole: ReadWhole = (request: Measured) => {
  const { headers } = request
  const measured = request['~measured'] && headers.has('content-length') && !headers.has('transfer-encoding')
  // Not the reader that `rereadable` has added, because that reads what this function returns
  return measured ? Request.prototype.arrayBuffer.call(request) : undefined
}
