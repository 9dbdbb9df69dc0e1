import { CONTROLS, EVERY, LINE_ENDS, merged, NAMED, type Ranges, without } from './ranges.ts'

/** A pattern, as far as its cost depends on it. An empty sequence stands for `^`, `$` and `\b`. */
export type Tree =
  | { readonly set: Ranges }
  | { readonly all: readonly Tree[]; readonly start?: boolean }
  | { readonly any: readonly Tree[] }
  | Repeated

/** A part that repeats; `most` can be endless. */
export interface Repeated {
  readonly inner: Tree
  readonly least: number
  readonly most: number
}

/** Longer patterns, and groups in more groups, are not looked at. */
const MOST_CHARACTERS = 2000
const MOST_GROUPS = 50

const EMPTY: Tree = { all: [] }

/** One character or escape of a pattern with the flag `u`. */
const TOKEN =
  /\\(?:u\{([\dA-Fa-f]+)\}|u([\dA-Fa-f]{4})|x([\dA-Fa-f]{2})|c([A-Za-z])|([pP])\{[^}]*\}|([\s\S]))|([\s\S])/uy

const QUANTIFIER = /(?:[*+?]|\{(\d+)(,\d*)?\})\??/y

const TIMES: { readonly [sign: string]: readonly [number, number] | undefined } = {
  '*': [0, Number.POSITIVE_INFINITY],
  '+': [1, Number.POSITIVE_INFINITY],
  '?': [0, 1],
}

/** What a token stands for: a set, or the letter of an escape that is none. */
interface Token {
  readonly set?: Ranges
  readonly sign?: string
  /** A property of Unicode, which is taken for every character. */
  readonly vague?: boolean
}

/**
 * Read a pattern that is valid with the flag `u`. `undefined` for what only a longer proof could cover: assertions
 * that look around, references back, flags inside.
 */
export const treeOf = (source: string): Tree | undefined => {
  let at = 0

  const match = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at
    const found = pattern.exec(source)
    if (found) at = pattern.lastIndex
    return found ?? undefined
  }

  const token = (): Token | undefined => {
    const [, braced, four, two, control, property, letter, plain] = match(TOKEN)!
    if (plain !== undefined) return { set: one(plain.codePointAt(0)!), sign: plain }
    if (property) return { set: EVERY, vague: true }
    if (control) return { set: one(control.charCodeAt(0) % 32) }
    const digits = braced ?? four ?? two
    // Two halves of one character can stand beside each other
    if (digits) return /^d[89a-f]..$/i.test(digits) ? undefined : { set: one(Number.parseInt(digits, 16)) }
    if (NAMED[letter!]) return { set: NAMED[letter!]! }
    if (/[1-9k]/.test(letter!)) return undefined
    return { set: one(CONTROLS[letter!] ?? letter!.codePointAt(0)!), sign: `\\${letter}` }
  }

  const charClass = (): Tree | undefined => {
    const negated = source[at] === '^'
    if (negated) at++
    const sets: Ranges[] = []
    let vague = false
    while (source[at] !== ']') {
      const first = token()
      const isRange = source[at] === '-' && source[at + 1] !== ']'
      if (isRange) at++
      const last = isRange ? token() : first
      // A backspace stands for itself in brackets; no pattern of a document needs it
      if (!first?.set || !last?.set || first.sign === '\\b') return undefined
      vague ||= !!first.vague
      sets.push(isRange ? [[first.set[0]![0], last.set[0]![1]]] : first.set)
    }
    at++
    if (vague) return { set: EVERY }
    return { set: negated ? without(sets.flat()) : merged(sets.flat()) }
  }

  const atom = (depth: number): Tree | undefined => {
    const found = token()
    switch (found?.sign) {
      case '(':
        if (!match(/\?:|\?<[A-Za-z_$][\w$]*>|(?!\?)/y)) return undefined
        return alternatives(depth + 1)
      case '[':
        return charClass()
      case '.':
        return { set: without(LINE_ENDS) }
      case '^':
        return { all: [], start: true }
      case '$':
      case '\\b':
      case '\\B':
        return EMPTY
      default:
        return found && { set: found.set! }
    }
  }

  const times = (inner: Tree): Tree => {
    const found = match(QUANTIFIER)
    if (!found) return inner
    const [sign, least, most = `,${least}`] = found
    const [low, high] = TIMES[sign[0]!] ?? [Number(least), Number(most.slice(1) || Number.POSITIVE_INFINITY)]
    return { inner, least: low, most: high }
  }

  /** Up to the bracket that closes the group, or the end. */
  const alternatives = (depth: number): Tree | undefined => {
    if (depth > MOST_GROUPS) return undefined
    const any: Tree[] = []
    let all: Tree[] = []
    for (;;) {
      const sign = source[at]
      if (sign === '|' || sign === ')' || sign === undefined) {
        any.push({ all })
        all = []
        at++
        if (sign !== '|') return any.length === 1 ? any[0] : { any }
        continue
      }
      const found = atom(depth)
      if (!found) return undefined
      all.push(times(found))
    }
  }

  return source.length > MOST_CHARACTERS ? undefined : alternatives(0)
}

const one = (character: number): Ranges => [[character, character]]
