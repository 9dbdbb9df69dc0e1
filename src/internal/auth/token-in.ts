/**
 * What a header `Authorization` has behind a scheme, which is compared in any case, and nothing else (RFC 6750 §2.1).
 */
const CREDENTIALS = /^([^ ]+) +([\w.~+/-]+=*) *$/

/** The token of a scheme; `undefined` if the header has another scheme, or is malformed. */
export const tokenIn = (header: string, scheme: string): string | undefined => {
  const [, named, token] = CREDENTIALS.exec(header) ?? []
  return named?.toLowerCase() === scheme.toLowerCase() ? token : undefined
}
