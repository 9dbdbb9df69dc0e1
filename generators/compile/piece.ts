import type { Insight } from './insight.ts'
import type { Schema } from './schema.ts'

/** A part that is left to the interpreter, and why. */
export interface Fallback {
  readonly path: string
  readonly reason: string
}

/** The code of one schema. */
export interface Unit {
  readonly insight: (schema: Schema) => Insight
  /** What is made once, and its name: references into the schema, runs, functions. */
  readonly once: Map<string, string>
  readonly fallbacks: Fallback[]
  count: number
}

/** The function that is written: `open` when it runs code of the user, after every check of its own. */
export interface Scope {
  readonly unit: Unit
  /** The code of a schema inside. */
  readonly emit: (schema: Schema, place: Place, scope: Scope) => Piece
  /** The same for a field of an object, which may run code of the user. */
  readonly field: (schema: Schema, place: Place, scope: Scope) => Piece
  /** The statement that leaves it with a value that does not fit. */
  readonly leave: string
  open: boolean
}

/** Where a schema stands: how code gets to it, the name of its value, its place for the reader and for issues. */
export interface Place {
  readonly ref: string
  readonly x: string
  readonly path: string
  readonly keys: readonly string[]
}

/** The code of a schema at a place. A value that only has to be looked at has a `test`, and no other code. */
export interface Piece {
  readonly test?: string
  /** Statements that leave the function when the value does not fit. */
  readonly check: readonly string[]
  /** Statements that make the output, once everything fits. */
  readonly build: readonly string[]
  /** The output. */
  readonly out: string
  /** Is the output never `undefined`. */
  readonly definite: boolean
}

/** Values that code compares one after the other; longer lists are sets. */
export const MOST_COMPARED = 12

export const IS_OBJECT = (x: string): string => `(${x}?.constructor === Object || isObject(${x}))`

/** A name for something that is made once. */
export const once = (unit: Unit, code: string): string => {
  const known = unit.once.get(code)
  if (known) return known
  const name = `c${++unit.count}`
  unit.once.set(code, name)
  return name
}

export const local = (unit: Unit): string => `v${++unit.count}`

export const looked = (test: string, { x }: Place, definite = true): Piece => ({
  test,
  check: [],
  build: [],
  out: x,
  definite,
})

export const built = (check: readonly string[], out: string, definite = true): Piece => ({
  check,
  build: [],
  out,
  definite,
})

/** All statements of a piece that runs nothing of the user. */
export const statements = ({ test, check, build }: Piece, { leave }: Scope): string[] =>
  test === undefined ? [...check, ...build] : test === 'true' ? [] : [`if (!(${test})) ${leave}`]

export const indent = (lines: readonly string[]): string[] =>
  lines.flatMap((line) => line.split('\n')).map((line) => `  ${line}`)

export const arrow = (parameters: string, lines: readonly string[]): string => block(`(${parameters}) =>`, lines)

export const block = (head: string, lines: readonly string[]): string => [`${head} {`, ...indent(lines), '}'].join('\n')

/** A place for the reader: `address.zip`. */
export const join = (path: string, label: string): string => (path && label ? `${path}.${label}` : path || label)
