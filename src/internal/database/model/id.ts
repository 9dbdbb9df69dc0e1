/** Matches digits without a leading zero. */
const ID = /^[1-9]\d{0,18}$/
const MAX_ID = 9_223_372_036_854_775_807n

/** The id that a number, a bigint or a path parameter names; undefined for every other value. */
export const toId = (id: unknown): number | bigint | undefined => {
  const digits = typeof id === 'number' || typeof id === 'bigint' || typeof id === 'string' ? String(id) : ''
  if (!ID.test(digits)) return undefined
  const exact = BigInt(digits)
  if (exact > MAX_ID) return undefined
  return exact <= Number.MAX_SAFE_INTEGER ? Number(exact) : exact
}
