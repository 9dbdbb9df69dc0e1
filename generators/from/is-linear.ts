/** A character or a class, with its repetition; or the bar between two alternatives. */
const TOKEN =
  /\||(\[(?:\\(?:[dDsSwWtnr]|[^\w\ud800-\udfff])|[^\\\]\ud800-\udfff])+\]|\\(?:[dDsSwWtnr]|[pP]\{[\w=]+\}|[^\w\ud800-\udfff])|[^\\()[\]{}|?*+^$\ud800-\udfff])([?*+]|\{(\d{1,4})(?:,\d{0,4})?\})?/gy

/** A part of a pattern: its whole text, the character or class, its repetition, and how often that is at least. */
type Token = readonly [whole: string, atom?: string, times?: string, least?: string]

/** Maximum number of characters that a pattern requires: a match may try them from every character of a text. */
const MAX_NEEDED = 200

/**
 * True if it is proved that the time of a match grows with the length of the text, and not faster.
 *
 * The pattern must begin with `^`, or repeat nothing, since a match is otherwise tried from every character. There are
 * no groups. What repeats a number of times that is not fixed must not match a character that may follow it, so that a
 * text can be divided in one way only. The last such part may, because what comes after it has a fixed length.
 */
export const isLinear = (source: string): boolean => {
  const [, start = '', body = ''] = /^(\^?)(.*?)\$?$/s.exec(source) ?? []
  const tokens = Array.from(body.matchAll(TOKEN)) as unknown as Token[]
  if (tokens.map(([whole]) => whole).join('') !== body) return false
  if (tokens.reduce((sum, [, , times, least = '1']) => sum + (times === '*' ? 0 : Number(least)), 0) > MAX_NEEDED)
    return false
  // A `^` belongs to the first of some alternatives alone
  const isTriedOnce = start !== '' && tokens.every(([whole]) => whole !== '|')
  try {
    return isTriedOnce ? isDivided(tokens) : !tokens.some(varies)
  } catch {
    // The class is valid only without the flag for Unicode
    return false
  }
}

const isDivided = (tokens: readonly Token[]): boolean => {
  const last = tokens.findLastIndex(varies)
  return tokens.every((token, index) => {
    if (index >= last || !varies(token)) return true
    const rest = tokens.slice(index + 1)
    const sure = rest.findIndex((follower) => !mayBeAbsent(follower))
    const followers = sure < 0 ? rest : rest.slice(0, sure + 1)
    return !followers.some(([, atom]) => overlap(token[1], atom))
  })
}

const varies = ([, , times]: Token): boolean => times !== undefined && !/^\{\d+\}$/.test(times)

const mayBeAbsent = ([, , times = '']: Token): boolean => /^([?*]|\{0)/.test(times)

/** The first 65,536 characters: only properties of Unicode name others. */
const CHARACTERS = /* @__PURE__ */ String.fromCharCode(...Array(0x10000).keys())

/** Whether two atoms match the same character; a property of Unicode may share one with any atom. */
const overlap = (one = '', other = ''): boolean =>
  /^\\p/i.test(one) || /^\\p/i.test(other) || new RegExp(`(?=${one})${other}`, 'u').test(CHARACTERS)
