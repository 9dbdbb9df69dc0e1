/**
 * The most similar candidate for a mistyped word, else the first one that the word is the beginning or a part of, or
 * undefined.
 *
 * @example
 * suggest('modle', ['model', 'service']) // 'model'
 * suggest('--dry', ['--db', '--dry-run']) // '--dry-run'
 */
export const suggest = (word: string, candidates: readonly string[]): string | undefined => {
  const ranked = candidates
    .map((candidate) => ({ candidate, edits: distance(word.slice(0, LONGEST).toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits)
  const best = ranked[0]
  if (best && best.edits <= Math.max(1, Math.floor(best.candidate.length / 3))) return best.candidate
  const part = word.replace(/^-+/, '').toLowerCase()
  return part.length < SHORTEST ? undefined : candidates.find((candidate) => hasPart(candidate, part))
}

/** Shortest part of a candidate that says which one was meant. */
const SHORTEST = 3

const hasPart = (candidate: string, part: string): boolean => {
  const plain = candidate.replace(/^-+/, '')
  return plain.startsWith(part) || plain.split(/[-:]/).includes(part)
}

/** ` Did you mean "x"?` for the end of a message, or an empty string. */
export const didYouMean = (word: string, candidates: readonly string[]): string => {
  const near = suggest(word, candidates)
  return near === undefined ? '' : ` Did you mean "${near}"?`
}

/** No candidate is longer. The limit keeps the table small for long input. */
const LONGEST = 64

/** Edits between two words, where swapping neighbours is one edit (optimal string alignment). */
const distance = (a: string, b: string): number => {
  let before: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1]
      const edits = [
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (same ? 0 : 1),
      ]
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        edits.push((before[column - 2] ?? 0) + 1)
      }
      current.push(Math.min(...edits))
    }
    before = above
    above = current
  }
  return above[b.length] ?? 0
}
