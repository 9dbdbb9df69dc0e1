import type { Insight } from './insight.ts'
import type { Schema } from './schema.ts'

/** A part that the interpreter runs, and why. */
export interface Fallback {
  readonly path: string
  readonly reason: string
}

/** The code of one schema. */
export interface Unit {
  readonly insight: (schema: Schema) => Insight
  /** Values that are created once, and their names: references into the schema, runs, functions. */
  readonly once: Map<string, string>
  readonly fallbacks: Fallback[]
  count: number
}

/** The function that is generated. `open`: it runs code of the user, after all its own checks. */
export interface Scope {
  readonly unit: Unit
  /** Generate the code of an inner schema. */
  readonly emit: (schema: Schema, place: ValuePlace, scope: Scope) => Piece
  /** The same for a field of an object, which may run code of the user. */
  readonly field: (schema: Schema, place: ValuePlace, scope: Scope) => Piece
  /** The statement that returns from the function for a value that is not valid. */
  readonly leave: string
  open: boolean
}

/** The place of a schema: the expression for it, the name of its value, and its path in reports and issues. */
export interface ValuePlace {
  readonly ref: string
  readonly x: string
  readonly path: string
  readonly keys: readonly string[]
}

/**
 * The code of a schema at a place. If its value is only tested and never changed, it has a `test` and no other code.
 */
export interface Piece {
  readonly test?: string
  /** Statements that return from the function if the value is not valid. */
  readonly check: readonly string[]
  /** Statements that create the output, after all checks. */
  readonly build: readonly string[]
  /** Expression for the output. */
  readonly out: string
  /** True if the output is never `undefined`. */
  readonly definite: boolean
}

/** Up to so many values are compared one by one; longer lists become sets. */
export const MAX_COMPARED = 12

export const IS_OBJECT = (x: string): string => `(${x}?.constructor === Object || isObject(${x}))`

/** A name for a value that is created once. */
export const once = (unit: Unit, code: string): string => {
  const existing = unit.once.get(code)
  if (existing) return existing
  const name = `c${++unit.count}`
  unit.once.set(code, name)
  return name
}

export const local = (unit: Unit): string => `v${++unit.count}`

export const testPiece = (test: string, { x }: ValuePlace, definite = true): Piece => ({
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

/** The code of a schema inside another one. `own` is what differs: the name of its value, its path. */
export const emitInner = (
  schema: Schema,
  part: string,
  place: ValuePlace,
  scope: Scope,
  changes: Partial<ValuePlace> = {},
): Piece => scope.emit(schema, { ...place, ref: `${place.ref}.def.${part}`, ...changes }, scope)

/** All statements of a piece that runs no code of the user. */
export const statements = ({ test, check, build }: Piece, { leave }: Scope): string[] =>
  test === undefined ? [...check, ...build] : test === 'true' ? [] : [`if (!(${test})) ${leave}`]

export const indent = (lines: readonly string[]): string[] =>
  lines.flatMap((line) => line.split('\n')).map((line) => `  ${line}`)

export const arrow = (parameters: string, lines: readonly string[]): string => block(`(${parameters}) =>`, lines)

export const block = (head: string, lines: readonly string[]): string => [`${head} {`, ...indent(lines), '}'].join('\n')

/** A path for reports: `address.zip`. */
export const join = (path: string, label: string): string => (path && label ? `${path}.${label}` : path || label)
