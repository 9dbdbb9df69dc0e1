/** A character or a class with its repetition; or the bar between two alternatives. */
const TOKEN =
  /\||(\[(?:\\(?:[dDsSwW]|[^\w\ud800-\udfff])|[^\\\]\ud800-\udfff])+\]|\\(?:[dDsSwW]|[$()*+.?[\\\]^{|}])|[^\\()[\]{}|?*+^$\ud800-\udfff])([?*+]|\{\d+(?:,\d*)?\})?/gy

/** One item of an alternative: its whole text, the character or class, and its repetition. */
type Token = readonly [whole: string, atom: string, times?: string]

/**
 * Whether a pattern takes at most linear time for any input.
 *
 * A pattern consists of alternatives between bars. Each is a sequence of characters and classes, with or without
 * repetition. There are no groups, so repetitions are never nested. An item with a variable number of repetitions must
 * not match a character that may follow it, so that a value can be divided in only one way. The last such item of an
 * alternative may, because the part after it has a fixed length.
 */
export const isLinear = (source: string): boolean => {
  const alternatives = parseAlternatives(source)
  try {
    return new RegExp(source, 'u').source.length > 0 && alternatives?.every(isUnambiguous) === true
  } catch {
    // A class such as `[z-a]`
    return false
  }
}

const parseAlternatives = (source: string): readonly Token[][] | undefined => {
  const tokens = Array.from(source.matchAll(TOKEN)) as unknown as Token[]
  if (tokens.map(([whole]) => whole).join('') !== source) return undefined
  const alternatives: Token[][] = [[]]
  for (const token of tokens) {
    if (token[1]) alternatives.at(-1)!.push(token)
    else alternatives.push([])
  }
  return alternatives
}

const isUnambiguous = (tokens: readonly Token[]): boolean => {
  const last = tokens.findLastIndex(hasVariableCount)
  return tokens.every((token, index) => {
    if (index >= last || !hasVariableCount(token)) return true
    const later = tokens.slice(index + 1)
    const firstRequired = later.findIndex((follower) => !mayBeAbsent(follower))
    const followers = firstRequired < 0 ? later : later.slice(0, firstRequired + 1)
    return !followers.some(([, atom]) => canOverlap(token[1], atom))
  })
}

const hasVariableCount = ([, , times = '']: Token): boolean => /[?*+,]/.test(times)

const mayBeAbsent = ([, , times = '']: Token): boolean => /^([?*]|\{0)/.test(times)

/** The first 65,536 characters; patterns do not name others. Made when it is first asked for. */
let characters = ''

const canOverlap = (first: string, other: string): boolean => {
  characters ||= String.fromCharCode(...Array(0x10000).keys())
  return new RegExp(`(?=${first})${other}`, 'u').test(characters)
}
