import { appendVary } from '#runtime/core'

/** Header fields, names and values in turn: `['x-frame-options', 'DENY', 'vary', 'Origin']`. */
export type FieldList = readonly string[]

/** Any form of header fields: those that Fetch accepts, or a record whose values may be lists. */
export type HeadersInput =
  | Headers
  | Iterable<readonly [string, string]>
  | Readonly<Record<string, string | readonly string[]>>

/** Status, reason and headers of a response; a number is only the status. */
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

/** Convert header fields to name–value pairs, with the names unchanged. */
export const pairsOf = (input: HeadersInput): Iterable<readonly [string, string]> => {
  if (Symbol.iterator in input) return input as Iterable<readonly [string, string]>
  return Object.entries(input).flatMap(([name, value]) => [value].flat().map((item) => [name, `${item}`] as const))
}

export const toPairs = (list: FieldList | undefined): [string, string][] | undefined =>
  list?.flatMap((name, index) => (index % 2 ? [] : [[name, list[index + 1]!] as [string, string]]))

/** A field list with names in lower case (RFC 9110 §5.1): the list itself if they are. */
export const foldNames = (list: FieldList): FieldList => {
  for (let index = 0; index < list.length; index += 2) if (/[A-Z]/.test(list[index]!)) return list.map(foldName)
  return list
}

const foldName = (text: string, index: number): string => (index % 2 ? text : text.toLowerCase())

/** Add fields to the headers of a response: only those that are missing, but always `vary` and `set-cookie`. */
export const addTo = (headers: Headers, list: FieldList): void => {
  for (let index = 0; index < list.length; index += 2) {
    const name = list[index]!
    const value = list[index + 1]!
    if (name === 'vary') appendVary(headers, value)
    // A missing field is appended: `set` would look for it once more
    else if (name === 'set-cookie' || !headers.has(name)) headers.append(name, value)
  }
}
