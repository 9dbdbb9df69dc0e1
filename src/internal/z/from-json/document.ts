import { MOST_NESTED } from '../nested.ts'

/** A JSON Schema that is an object. */
export interface Node {
  readonly [keyword: string]: unknown
}

/** Where in a document, and what is known of the way there. */
export interface Place {
  /** The place around it, and the keys from there. `#/properties/name` is written when a document is refused. */
  readonly around?: Place
  readonly keys?: readonly (string | number)[]
  /** Schemas around it, in the same part. */
  readonly depth: number
  /** The part that is being made: the document itself, or what a `$ref` names. */
  readonly part: Part
  /** Does it look at the same value as the part. */
  readonly same: boolean
}

/** A schema that others refer to, or the outermost one, and what it asks about its own value. */
export interface Part {
  readonly pointer: string
  /** Schemas of its own that look at its value. */
  own: number
  /** What it refers to, for the same value. */
  readonly asks: Part[]
  /** How many schemas look at one value, references followed; 0 while that is being counted. */
  cost?: number
  height?: number
}

/** A document of so many schemas is refused, so that one with aliases of YAML ends too. */
export const MOST_SCHEMAS = 100_000

/** So many characters of names may be matched with patterns of names. */
export const MOST_MATCHED = 1_000_000

/** So many schemas may look at one value, references followed. */
const MOST_AT_ONCE = 10_000

/** Refuse a document, and say where. */
export const refuse = (place: Place | string, words: string): never => {
  throw new TypeError(`fromJsonSchema: ${typeof place === 'string' ? place : pointerOf(place)}: ${words}`)
}

/** A JSON pointer, RFC 6901, as a fragment. */
const pointerOf = ({ around, keys = [], part }: Place): string =>
  [
    around ? pointerOf(around) : part.pointer,
    ...keys.map((key) => `${key}`.replaceAll('~', '~0').replaceAll('/', '~1')),
  ].join('/')

/** Is it an object, and not a list. */
export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The place of a schema inside of another; `same` if both look at the same value. */
export const below = (place: Place, keys: readonly (string | number)[], same = false): Place => ({
  around: place,
  keys,
  depth: place.depth + 1,
  part: place.part,
  same: place.same && same,
})

/** The schema that a `$ref` names. */
export const lookUp = (document: unknown, reference: unknown, place: Place): unknown => {
  if (typeof reference !== 'string' || !/^#(?:\/|$)/.test(reference))
    return refuse(
      place,
      `$ref: expected a JSON pointer of this document such as "#/$defs/Name", got ${shown(reference)}`,
    )
  let at: unknown = document
  for (const key of keysOf(reference, place)) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key))
      return refuse(place, `$ref: nothing is at ${shown(reference)}`)
    at = (at as { [key: string]: unknown })[key]
  }
  return at
}

const keysOf = (reference: string, place: Place): readonly string[] => {
  try {
    const keys = decodeURIComponent(reference).split('/').slice(1)
    return keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  } catch {
    return refuse(place, `$ref: ${shown(reference)} is not encoded as an address is`)
  }
}

/** A value of a document on one short line. */
export const shown = (value: unknown): string => `${JSON.stringify(value)}`.slice(0, 80)

/**
 * Refuse schemas that would ask themselves about the same value again, without end or very often.
 *
 * @throws {TypeError} naming the schema
 */
export const checkCost = (part: Part, depth = 0): void => {
  if (part.cost === 0) refuse(part.pointer, '$ref: it refers to itself for the same value')
  if (part.cost) return
  if (depth > MOST_NESTED) refuse(part.pointer, '$ref: too many references to references')
  part.cost = 0
  let cost = part.own
  let height = 0
  for (const asked of part.asks) {
    checkCost(asked, depth + 1)
    cost += asked.cost!
    height = Math.max(height, asked.height!)
  }
  if (cost > MOST_AT_ONCE) refuse(part.pointer, `$ref: more than ${MOST_AT_ONCE} schemas would look at one value`)
  if (height >= MOST_NESTED) refuse(part.pointer, '$ref: too many references to references')
  Object.assign(part, { cost, height: height + 1 })
}
