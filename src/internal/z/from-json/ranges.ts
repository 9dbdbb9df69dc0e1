/** A set of characters: code points from the first to the second of each pair, in order. */
export type Ranges = readonly (readonly [from: number, to: number])[]

const LAST = 0x10ffff

/** Every character. */
export const EVERY: Ranges = [[0, LAST]]

/** In order, and without overlaps. */
export const merged = (ranges: Ranges): Ranges => {
  const out: [number, number][] = []
  for (const [from, to] of [...ranges].sort(([a], [b]) => a - b)) {
    const last = out.at(-1)
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to)
    else out.push([from, to])
  }
  return out
}

/** All characters but these. */
export const without = (ranges: Ranges): Ranges => {
  const out: [number, number][] = []
  let next = 0
  for (const [from, to] of merged(ranges)) {
    if (from > next) out.push([next, from - 1])
    next = to + 1
  }
  if (next <= LAST) out.push([next, LAST])
  return out
}

/** Does no character belong to two of the sets. */
export const areDisjoint = (sets: readonly Ranges[]): boolean => {
  const all = sets.flat().sort(([a], [b]) => a - b)
  return all.every(([from], index) => index === 0 || from > all[index - 1]![1])
}

const code = (text: string): number => text.codePointAt(0)!

/** `az09` is the set of the letters from a to z and the digits. */
const pairs = (text: string): Ranges =>
  [...text].flatMap((from, index, all) => (index % 2 ? [] : [[code(from), code(all[index + 1]!)] as const]))

const DIGITS = pairs('09')
const WORD = merged(pairs('azAZ09__'))
const SPACE = merged(
  pairs('\t\r  \u00a0\u00a0\u1680\u1680\u2000\u200a\u2028\u2029\u202f\u202f\u205f\u205f\u3000\u3000\ufeff\ufeff'),
)

/** What the dot does not match. */
export const LINE_ENDS: Ranges = pairs('\n\n\r\r\u2028\u2029')

/** The sets that an escape with a letter names. */
export const NAMED: { readonly [letter: string]: Ranges | undefined } = {
  d: DIGITS,
  D: without(DIGITS),
  w: WORD,
  W: without(WORD),
  s: SPACE,
  S: without(SPACE),
}

/** Characters that an escape with a letter names. */
export const CONTROLS: { readonly [letter: string]: number | undefined } = { t: 9, n: 10, v: 11, f: 12, r: 13, 0: 0 }
