/**
 * The candidate that contains a word, else the one that differs from it in the fewest letters, or undefined if none is
 * near.
 *
 * @example
 * suggest('modle', ['model', 'service']) // 'model'
 * suggest('--dry', ['--db', '--dry-run']) // '--dry-run'
 */
export const suggest = (word: string, candidates: readonly string[]): string | undefined => {
  const part = word.replace(/^-+/, '').toLowerCase()
  return (
    candidates.find((candidate) => part.length > 2 && candidate.includes(part)) ??
    candidates
      .filter((candidate) => difference(word, candidate) * 3 < candidate.length + 3)
      .sort((a, b) => difference(word, a) - difference(word, b))[0]
  )
}

/** ` Did you mean "x"?` for the end of a message, or an empty string. */
export const didYouMean = (word: string, candidates: readonly string[]): string => {
  const near = suggest(word, candidates)
  return near === undefined ? '' : ` Did you mean "${near}"?`
}

/** The number of letters that only one of two words has, like `src/internal/options/suggest.ts`. */
const difference = (a: string, b: string): number =>
  [...a, ...b].filter((letter) => !a.includes(letter) || !b.includes(letter)).length
