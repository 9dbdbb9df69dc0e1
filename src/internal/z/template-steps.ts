import type { AnyCore, Check, CheckedDefinition } from './definition.ts'

/** A literal value in a template. */
export type Literal = string | number | bigint | boolean | null | undefined

/** Positions in a string at which a part can begin or end. */
type Places = Uint8Array

/**
 * Finds the places where a part that begins at given places can end; the `last` part must end with the text. All are
 * tried together, so the number of steps is that of the characters, however many ways to cut a string exist. Checks
 * of strings are paid from `purse`.
 */
export type TemplateStep = (text: string, from: Places, purse: { left: number }, last: boolean) => Places

/**
 * A string with checks may test so many pieces of a value, of as many characters each, and of the whole value twice.
 */
const MAX_PIECES = 1000

/** Whether the steps in order reach the end of the text. */
export const matchesWhole = (steps: readonly TemplateStep[], text: string): boolean => {
  const from = new Uint8Array(text.length + 1)
  from[0] = 1
  return inTurn(steps)(text, from, { left: MAX_PIECES ** 2 + 2 * text.length }, true)[text.length] === 1
}

/** The members of a part's definition that are read. */
interface TemplateDefinition extends CheckedDefinition {
  readonly template?: readonly TemplateStep[]
  readonly inner?: AnyCore
  readonly options?: readonly AnyCore[]
  readonly value?: Literal
  readonly values?: readonly Literal[]
}

/** The step of a part. @throws {TypeError} for a schema whose values cannot be written as a string */
export const stepOf = (part: unknown): TemplateStep => {
  if (typeof part !== 'object' || part === null) return words([`${part as Literal}`])
  const { def } = part as AnyCore
  const parts = def as TemplateDefinition
  if (parts.template) return inTurn(parts.template)
  switch (def.type) {
    case 'string': {
      // The white space that `url()` removes is not part of a template.
      const isUrl = parts.checks.some(({ kind }) => kind === 'url')
      const checks = parts.checks.filter(({ kind }) => !isUrl || kind !== 'trim')
      if (checks.some(({ change }) => change)) break
      return textStep(checks)
    }
    case 'number': {
      if (parts.checks.some(({ change }) => change)) break
      const step = digits(parts.checks.some(({ kind }) => kind === 'int') ? INTEGER : NUMBER)
      const others = parts.checks.filter(({ kind }) => kind !== 'int' && kind !== 'finite')
      return others.length ? checkedStep(step, others) : step
    }
    case 'bigint':
      return digits(BIGINT)
    case 'boolean':
      return words(['true', 'false'])
    case 'null':
    case 'undefined':
      return words([def.type])
    case 'literal':
      return words([`${parts.value}`])
    case 'enum':
      return words(parts.values!.map(String))
    case 'optional':
      return eitherStep([stepOf(parts.inner), words([''])])
    case 'nullable':
      return eitherStep([stepOf(parts.inner), words(['null'])])
    case 'union':
      return eitherStep(parts.options!.map(stepOf))
    case 'brand':
    case 'readonly':
      return stepOf(parts.inner)
  }
  throw new TypeError(`templateLiteral: parts: expected schemas of strings, numbers and the like, got ${def.type}()`)
}

const inTurn =
  (steps: readonly TemplateStep[]): TemplateStep =>
  (text, from, purse, last) =>
    steps.reduce((places: Places, step, index) => step(text, places, purse, last && index === steps.length - 1), from)

const eitherStep =
  (steps: readonly TemplateStep[]): TemplateStep =>
  (text, from, purse, last) => {
    const out = new Uint8Array(from.length)
    for (const step of steps) for (const [at, is] of step(text, from, purse, last).entries()) if (is) out[at] = 1
    return out
  }

const words =
  (options: readonly string[]): TemplateStep =>
  (text, from) => {
    const out = new Uint8Array(from.length)
    for (let at = 0; at < from.length; at++)
      if (from[at]) for (const word of options) if (text.startsWith(word, at)) out[at + word.length] = 1
    return out
  }

const textStep = (checks: readonly Check[]): TemplateStep =>
  checks.length
    ? (text, from, purse, last) => {
        const out = new Uint8Array(from.length)
        for (let at = 0; at < from.length; at++)
          for (let end = last ? text.length : at; from[at] && end < from.length; end++) {
            purse.left -= Math.max(MAX_PIECES, end - at)
            if (purse.left < 0) return out
            const piece = text.slice(at, end)
            if (checks.every(({ holds }) => holds(piece))) out[end] = 1
          }
        return out
      }
    : (_, from) => {
        const first = from.indexOf(1)
        return first < 0 ? from : new Uint8Array(from.length).fill(1, first)
      }

/** Longest number with checks, in characters: a longer one is refused. */
const MAX_DIGITS = 40

/** A number with checks: each place where it may begin is tested alone, and paid like a piece of a string. */
const checkedStep =
  (step: TemplateStep, checks: readonly Check[]): TemplateStep =>
  (text, from, purse, last) => {
    const out = new Uint8Array(from.length)
    for (let at = 0; at < from.length; at++) {
      if (!from[at]) continue
      purse.left -= MAX_PIECES
      if (purse.left < 0) return out
      const piece = text.slice(at, at + MAX_DIGITS)
      const starts = new Uint8Array(piece.length + 1)
      starts[0] = 1
      for (const [length, is] of step(piece, starts, purse, last).entries())
        if (is && checks.every(({ holds }) => holds(Number(piece.slice(0, length))))) out[at + length] = 1
    }
    return out
  }

/**
 * For each state, the state after a sign, a digit, a dot and an `n`; -1 means none. The last two states of a form end
 * it.
 */
interface Form {
  readonly next: readonly (readonly [sign: number, digit: number, dot: number, n: number])[]
  readonly ends: readonly number[]
}

const INTEGER: Form = {
  next: [
    [1, 2, -1, -1],
    [-1, 2, -1, -1],
    [-1, 2, -1, -1],
  ],
  ends: [2],
}
const NUMBER: Form = {
  next: [
    [1, 2, -1, -1],
    [-1, 2, -1, -1],
    [-1, 2, 3, -1],
    [-1, 4, -1, -1],
    [-1, 4, -1, -1],
  ],
  ends: [2, 4],
}
const BIGINT: Form = {
  next: [
    [1, 2, -1, -1],
    [-1, 2, -1, -1],
    [-1, 2, -1, 3],
    [-1, -1, -1, -1],
  ],
  ends: [2, 3],
}

const digits =
  ({ next, ends }: Form): TemplateStep =>
  (text, from) => {
    const out = new Uint8Array(from.length)
    let states = new Set<number>()
    for (let at = 0; at < from.length; at++) {
      if (ends.some((state) => states.has(state))) out[at] = 1
      if (from[at]) states.add(0)
      const sign = text.charAt(at)
      const kind = /\d/.test(sign) ? 1 : ['-', '0', '.', 'n'].indexOf(sign)
      states = new Set([...states].map((state) => next[state]![kind] ?? -1).filter((state) => state >= 0))
    }
    return out
  }
