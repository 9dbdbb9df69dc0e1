import { truncated } from '../../internal/body/truncated.ts'
import type { HasLength, ThrowBrokenOff } from '../contract.ts'

/** A request with the mark of servers that enforce a `Content-Length`. */
export type BodyWithLength = Request & { '~measured'?: boolean }

/** True for requests of our own servers. With a `Transfer-Encoding`, the length is not reliable. */
export const hasLength: HasLength = (request: BodyWithLength) =>
  // On Deno, `has` copies all headers, and `get` does not
  !!request['~measured'] && request.headers.get('transfer-encoding') === null

/** The names of the errors that Bun and Deno throw if the client leaves before the end of a body. */
const GONE = /^(?:AbortError|Http|BadResource)$/

export const brokenOff: ThrowBrokenOff & {} = (error) => {
  throw GONE.test(`${(error as Error | undefined)?.name}`) ? truncated(error as Error) : error
}
