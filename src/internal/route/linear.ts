// Beside `internal/z/from-json/is-linear.ts`, which reads groups too and has four times the bytes.
/** A character or a class of them, and how often it may come; or the bar between two choices. */
const TOKEN =
  /\||(\[(?:\\(?:[dDsSwW]|[^\w\ud800-\udfff])|[^\\\]\ud800-\udfff])+\]|\\(?:[dDsSwW]|[$()*+.?[\\\]^{|}])|[^\\()[\]{}|?*+^$\ud800-\udfff])([?*+]|\{\d+(?:,\d*)?\})?/gy

/** One thing of a choice: the text of both, the character or class, and how often. */
type Token = readonly [whole: string, atom: string, times?: string]

/**
 * Tell whether a pattern takes no more than linear time, whatever it is matched with.
 *
 * It has choices between bars, and each is a row of characters and classes, repeated or not. There are no groups, so
 * repetitions do not hold others. What is repeated a varying number of times cannot match a character that may come
 * after it, so that a value can be divided in one way only. The last such thing of a choice may: what comes after it has
 * a fixed length.
 */
export const isLinear = (source: string): boolean => {
  const choices = choicesOf(source)
  try {
    return isPattern(source) && choices?.every(isDivided) === true
  } catch {
    // A class such as `[z-a]`
    return false
  }
}

const isPattern = (source: string): boolean => new RegExp(source, 'u').source.length > 0

const choicesOf = (source: string): readonly Token[][] | undefined => {
  const tokens = Array.from(source.matchAll(TOKEN)) as unknown as Token[]
  if (tokens.map(([whole]) => whole).join('') !== source) return undefined
  const choices: Token[][] = [[]]
  for (const token of tokens) {
    if (token[1]) choices.at(-1)!.push(token)
    else choices.push([])
  }
  return choices
}

const isDivided = (tokens: readonly Token[]): boolean => {
  const last = tokens.findLastIndex(varies)
  return tokens.every((token, index) => {
    if (index >= last || !varies(token)) return true
    const rest = tokens.slice(index + 1)
    const sure = rest.findIndex((one) => !mayBeAbsent(one))
    const followers = sure < 0 ? rest : rest.slice(0, sure + 1)
    return !followers.some(([, atom]) => overlap(token[1], atom))
  })
}

const varies = ([, , times]: Token): boolean => times !== undefined && !/^\{\d+\}$/.test(times)

const mayBeAbsent = ([, , times = '']: Token): boolean => /^([?*]|\{0)/.test(times)

/** The first 65,536 characters; patterns do not name others. Made when it is first asked for. */
let characters = ''

/** Whether two things match the same character. */
const overlap = (one: string, other: string): boolean => {
  characters ||= String.fromCharCode(...Array(0x10000).keys())
  return new RegExp(`(?=${one})${other}`, 'u').test(characters)
}
