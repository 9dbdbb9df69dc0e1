import { derive } from '../../internal/z/core.ts'
import type { AnyCore, Definition } from '../../internal/z/definition.ts'
import type { Node, Place } from '../../internal/z/from-json/document.ts'
import { makeBoth, RUNS } from '../../internal/z/from-json/runs.ts'
import type { Says } from '../../internal/z/json-schema-types.ts'
import { type AnySchema, Schema } from '../../internal/z/schema.ts'
import { unknown } from '../unknown.ts'

/** What is known where the keywords of one type are read. */
export interface Typed {
  readonly node: Node
  readonly place: Place
  readonly patterns: boolean
  readonly build: (node: unknown, place: Place) => AnySchema
  /** Whether a pattern matches a name. */
  readonly match: (pattern: RegExp, name: string, place: Place) => boolean
}

/** A schema for which `toJsonSchema` has the words of the document, where a definition has no room for them. */
export const saying = <T extends AnySchema>(schema: T, says: Says): T =>
  derive(schema as AnyCore, { ...schema.def, says }) as T

/** What accepts any value that a function accepts, with the words for it. */
export const refined = (holds: (value: unknown) => boolean, message: string, says: Says): AnySchema =>
  saying(unknown().refine(holds, message), says)

/** What accepts what all of the sides accept: a tree that is not deep, however many there are. */
export const allOf = (sides: readonly AnySchema[]): AnySchema => {
  if (sides.length < 2) return sides[0] ?? unknown()
  const half = sides.length >> 1
  const [left, right] = [allOf(sides.slice(0, half)), allOf(sides.slice(half))]
  return new Schema({ type: 'intersection', left, right, runs: RUNS } as Definition, makeBoth)
}
