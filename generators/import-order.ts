/** Punctuation before digits before letters, as Biome sorts: `admin/post.ts`, `admin.ts`, `admin-x.ts`. */
const PUNCTUATION = '/.-_$'

/**
 * Compare two import paths, or two imported names, in the order of Biome's `organizeImports`: character by character,
 * `A` before `a` before `B`, numbers by their value. The word `type` before a name does not count. Among relative
 * paths, what is further up is first.
 *
 * @returns a negative number if `a` is first.
 * @example
 * ['userMailer', 'type SendUserToken'].toSorted(compareImports) // ['type SendUserToken', 'userMailer']
 */
export const compareImports = (a: string, b: string): number => {
  const [left, right] = [piecesOf(a), piecesOf(b)]
  for (const [index, piece] of left.entries()) {
    const other = right[index]
    if (other === undefined) return 1
    if (piece !== other) return rankOf(piece) - rankOf(other)
  }
  return left.length - right.length
}

/** Characters, and whole numbers. */
const piecesOf = (text: string): readonly string[] => text.replace(/^type /, '').match(/\d+|\.\.\/|\D/g) ?? []

const rankOf = (piece: string): number => {
  if (piece === '../') return -1
  const punctuation = PUNCTUATION.indexOf(piece)
  if (punctuation >= 0) return punctuation
  if (/^\d/.test(piece)) return 10 + Math.min(Number(piece), 1e9)
  const lower = piece.toLowerCase()
  return 2e9 + 2 * (lower.codePointAt(0) ?? 0) + (piece === lower ? 1 : 0)
}
