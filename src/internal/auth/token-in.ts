/** The token behind a scheme in the header `Authorization`. The case of the scheme does not matter (RFC 6750 §2.1). */
const CREDENTIALS = /^([^ ]+) +([\w.~+/-]+=*) *$/

/** The token of a scheme; `undefined` if the header has another scheme, or is malformed. */
export const tokenIn = (header: string, scheme: string): string | undefined => {
  const [, headerScheme, token] = CREDENTIALS.exec(header) ?? []
  return headerScheme?.toLowerCase() === scheme.toLowerCase() ? token : undefined
}
