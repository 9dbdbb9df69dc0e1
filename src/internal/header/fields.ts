import { appendVary } from './vary.ts'

/** Header fields with lower-case names, one after the other: `['x-frame-options', 'DENY', 'vary', 'Origin']`. */
export type FieldList = readonly string[]

/** Any form in which header fields are given: what Fetch takes, or a record whose values may be lists. */
export type HeadersInput =
  | Headers
  | Iterable<readonly [string, string]>
  | Readonly<Record<string, string | readonly string[]>>

/** Status, reason and fields of a response; a number stands for the status alone. */
export interface ResponseOptions<Status extends number = number> {
  /** Status code, 200 to 599. @default 200 */
  readonly status?: Status
  /** Reason phrase. HTTP/1.1 only. @default '' */
  readonly statusText?: string
  /** Header fields; a `Set-Cookie` list becomes one line for each item. */
  readonly headers?: HeadersInput
}

/** Status codes whose responses have no body (Fetch, "null body status"). */
export const hasNoBody = (status: number | undefined): boolean => [101, 204, 205, 304].includes(status!)

/** Bring any form of header fields into name–value pairs, names as given. */
export const pairsOf = (input: HeadersInput): Iterable<readonly [string, string]> => {
  if (Symbol.iterator in input) return input as Iterable<readonly [string, string]>
  return Object.entries(input).flatMap(([name, value]) => [value].flat().map((one) => [name, `${one}`] as const))
}

/** Put a field list on a response's headers: each field only where there is none; `vary` and `set-cookie` are added. */
export const addTo = (headers: Headers, list: FieldList): void => {
  for (let index = 0; index < list.length; index += 2) {
    const name = list[index]!
    const value = list[index + 1]!
    if (name === 'set-cookie') headers.append(name, value)
    else if (name === 'vary') appendVary(headers, value)
    else if (!headers.has(name)) headers.set(name, value)
  }
}
