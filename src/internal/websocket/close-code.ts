/** Codes that a close frame may carry (RFC 6455 §7.4, IANA registry): 1004 to 1006 and 1015 are for programs alone. */
export const isSendable = (code: number): boolean =>
  Number.isInteger(code) && /^(100[0-37-9]|101[0-4]|[34]\d{3})$/.test(`${code}`)
