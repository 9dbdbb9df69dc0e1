import type { AnyCore, Check, DefinitionParts } from './definition.ts'

/** A literal value in a template. */
export type Literal = string | number | bigint | boolean | null | undefined

/** The positions in a text at which a part can begin or end: 1 at each of them. */
type Places = Uint8Array

/**
 * Returns the places where a part that begins at one of the given places can end. Trying all of them together takes
 * time by the length of the text, not by the ways to cut it. Checks use up the budget.
 */
export type TemplateStep = (text: string, from: Places, budget: { left: number }, last: boolean) => Places

/** Checks may test this many pieces of a value, of this many characters each, and the whole value twice. */
const MAX_PIECES = 1000

/** Longest number with checks, in characters: a longer one is refused. */
const MAX_DIGITS = 40

/** Whether the steps in order reach the end of the text. */
export const matchesWhole = (steps: readonly TemplateStep[], text: string): boolean => {
  const from = new Uint8Array(text.length + 1)
  from[0] = 1
  return sequence(steps)(text, from, { left: MAX_PIECES ** 2 + 2 * text.length }, true)[text.length] === 1
}

interface TemplateDefinition extends DefinitionParts {
  readonly template?: readonly TemplateStep[]
  readonly checks: readonly Check[]
}

/** The step of a part. @throws {TypeError} for a schema whose values cannot be written as a string */
export const stepOf = (part: unknown): TemplateStep => {
  if (typeof part !== 'object' || part === null) return words([`${part as Literal}`])
  const { type, template, checks, inner, options, value, values } = (part as AnyCore).def as TemplateDefinition
  if (template) return sequence(template)
  if (type === 'string') {
    // The white space that `url()` removes is not part of a template
    const isUrl = checks.some(({ kind }) => kind === 'url')
    const tests = checks.filter(({ kind }) => !isUrl || kind !== 'trim')
    if (!tests.some(({ change }) => change)) return tests.length ? checkedText(tests) : anyText
  }
  if (type === 'number' && !checks.some(({ change }) => change)) {
    const isWhole = checks.some(({ kind }) => kind === 'int')
    const fraction = sequence([words(['.']), digits])
    const step = isWhole ? integer() : sequence([integer(), either([fraction, words([''])])])
    const tests = checks.filter(({ kind }) => kind !== 'int' && kind !== 'finite')
    return tests.length ? checkedNumber(step, tests) : step
  }
  if (type === 'bigint') return sequence([integer(), words(['n', ''])])
  if (type === 'boolean') return words(['true', 'false'])
  if (type === 'null' || type === 'undefined') return words([type])
  if (type === 'literal') return words([`${value}`])
  if (type === 'enum') return words(values!.map(String))
  if (type === 'optional') return either([stepOf(inner), words([''])])
  if (type === 'nullable') return either([stepOf(inner), words(['null'])])
  if (type === 'union') return either(options!.map(stepOf))
  if (type === 'brand' || type === 'readonly') return stepOf(inner)
  throw new TypeError(`templateLiteral: parts: expected schemas of strings, numbers and the like, got ${type}()`)
}

const sequence =
  (steps: readonly TemplateStep[]): TemplateStep =>
  (text, from, budget, last) =>
    steps.reduce((places: Places, step, index) => step(text, places, budget, last && index === steps.length - 1), from)

const either =
  (steps: readonly TemplateStep[]): TemplateStep =>
  (text, from, budget, last) => {
    const ends = new Uint8Array(from.length)
    for (const step of steps)
      for (const [at, isEnd] of step(text, from, budget, last).entries()) if (isEnd) ends[at] = 1
    return ends
  }

const words =
  (options: readonly string[]): TemplateStep =>
  (text, from) => {
    const ends = new Uint8Array(from.length)
    for (let at = 0; at < from.length; at++)
      if (from[at]) for (const word of options) if (text.startsWith(word, at)) ends[at + word.length] = 1
    return ends
  }

const anyText: TemplateStep = (_, from) => {
  const first = from.indexOf(1)
  return first < 0 ? from : new Uint8Array(from.length).fill(1, first)
}

const checkedText =
  (checks: readonly Check[]): TemplateStep =>
  (text, from, budget, last) => {
    const ends = new Uint8Array(from.length)
    for (let at = 0; at < from.length; at++)
      for (let end = last ? text.length : at; from[at] && end < from.length; end++) {
        budget.left -= Math.max(MAX_PIECES, end - at)
        if (budget.left < 0) return ends
        const piece = text.slice(at, end)
        if (checks.every(({ holds }) => holds(piece))) ends[end] = 1
      }
    return ends
  }

/** Tests each place where a number may begin alone. */
const checkedNumber =
  (step: TemplateStep, checks: readonly Check[]): TemplateStep =>
  (text, from, budget, last) => {
    const ends = new Uint8Array(from.length)
    for (let at = 0; at < from.length; at++) {
      if (!from[at]) continue
      budget.left -= MAX_PIECES
      if (budget.left < 0) return ends
      const piece = text.slice(at, at + MAX_DIGITS)
      const start = new Uint8Array(piece.length + 1)
      start[0] = 1
      for (const [length, isEnd] of step(piece, start, budget, last).entries())
        if (isEnd && checks.every(({ holds }) => holds(Number(piece.slice(0, length))))) ends[at + length] = 1
    }
    return ends
  }

const integer = (): TemplateStep => sequence([words(['-', '']), digits])

/** One digit or more. */
const digits: TemplateStep = (text, from) => {
  const ends = new Uint8Array(from.length)
  for (let at = 0; at < text.length; at++) if ((from[at] || ends[at]) && /\d/.test(text.charAt(at))) ends[at + 1] = 1
  return ends
}
