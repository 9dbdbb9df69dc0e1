/** A part of a file: the first and the last byte, inclusive. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

/** More parts than any player or reader requests. Each costs a read and part headers. */
const MAX_RANGES = 100

/** `0-499`, `500-`, `-500`. */
const RANGE = /^(\d*)-(\d*)$/

/**
 * The parts that a `Range` asks for (RFC 9110 §14.1.2), in its order.
 *
 * @returns an empty list if the file has none of them; `undefined` if the header must be ignored: another unit, a
 * syntax error, too many parts, or parts that are longer than the file in total.
 */
export const rangesOf = (field: string, size: number): ByteRange[] | undefined => {
  const [unit, set] = field.split('=', 2) as [string, string | undefined]
  if (unit.trim().toLowerCase() !== 'bytes' || set === undefined) return undefined
  const members = set.split(',').map((member) => member.trim())
  if (members.length > MAX_RANGES) return undefined
  const ranges: ByteRange[] = []
  let total = 0
  for (const member of members) {
    if (!member) continue
    const [, from, to] = RANGE.exec(member) ?? []
    if (!(from || to) || (from && to && Number(from) > Number(to))) return undefined
    const first = from ? Number(from) : Math.max(0, size - Number(to))
    const last = from && to ? Math.min(Number(to), size - 1) : size - 1
    // An empty file has no first byte to send, and is sent whole
    if (first > last && first === 0) return undefined
    if (first > last) continue
    ranges.push({ first, last })
    total += last - first + 1
  }
  if (!members.some(Boolean)) return undefined
  return total > size ? undefined : ranges
}
