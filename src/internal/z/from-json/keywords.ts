import { isNode, type Node, type Place, refuse, shown } from './document.ts'

const words = (text: string): readonly string[] => text.split(' ')

/** The keywords that ask something of values of one type, and of no others. */
export const TYPED: { readonly [type: string]: readonly string[] } = {
  string: /* @__PURE__ */ words('minLength maxLength pattern format'),
  number: /* @__PURE__ */ words('minimum maximum exclusiveMinimum exclusiveMaximum multipleOf'),
  boolean: [],
  array: /* @__PURE__ */ words(
    'items prefixItems additionalItems minItems maxItems uniqueItems contains minContains maxContains',
  ),
  object: /* @__PURE__ */ words(
    'properties required additionalProperties patternProperties propertyNames minProperties maxProperties',
  ),
  null: [],
}

/** Keywords that ask something of every value, and those that only tell. */
const OTHERS = /* @__PURE__ */ words(
  'type enum const allOf anyOf oneOf not nullable $ref default ' +
    '$schema $comment $defs definitions $anchor title description examples example deprecated readOnly writeOnly ' +
    'contentEncoding contentMediaType contentSchema externalDocs xml discriminator',
)

const KNOWN: ReadonlySet<string> = /* @__PURE__ */ new Set([...OTHERS, ...Object.values(TYPED).flat()])

/** Refuse a keyword that would be passed over: what it asks would not be checked. */
export const checkKeywords = (node: Node, place: Place, outermost: boolean): void => {
  for (const keyword of Object.keys(node)) {
    if (KNOWN.has(keyword) || keyword.startsWith('x-') || (outermost && keyword === '$id')) continue
    refuse(place, `${shown(keyword)}: this keyword is not supported`)
  }
}

/** A keyword whose value is a whole number from 0. */
export const wholeOf = (node: Node, keyword: string, place: Place): number | undefined => {
  const value = node[keyword]
  if (value === undefined || (Number.isInteger(value) && (value as number) >= 0)) return value as number | undefined
  return refuse(place, `${keyword}: expected a whole number from 0, got ${shown(value)}`)
}

/** A keyword whose value is a number. */
export const numberOf = (node: Node, keyword: string, place: Place): number | undefined => {
  const value = node[keyword]
  if (value === undefined || Number.isFinite(value)) return value as number | undefined
  return refuse(place, `${keyword}: expected a number, got ${shown(value)}`)
}

/** A keyword whose value is a list. */
export const listOf = (node: Node, keyword: string, place: Place): readonly unknown[] | undefined => {
  const value = node[keyword]
  if (value === undefined || Array.isArray(value)) return value
  return refuse(place, `${keyword}: expected a list, got ${shown(value)}`)
}

/** A keyword whose value is a list of schemas, one at least. */
export const schemasOf = (node: Node, keyword: string, place: Place): readonly unknown[] | undefined => {
  const value = listOf(node, keyword, place)
  return value && !value.length ? refuse(place, `${keyword}: expected a list of schemas, got []`) : value
}

/** A keyword whose value is a boolean: is it true. */
export const flagOf = (node: Node, keyword: string, place: Place): boolean => {
  const { [keyword]: value = false } = node
  return typeof value === 'boolean' ? value : refuse(place, `${keyword}: expected a boolean, got ${shown(value)}`)
}

/** A keyword whose value is an object: its own entries. */
export const entriesOf = (node: Node, keyword: string, place: Place): readonly (readonly [string, unknown])[] => {
  const { [keyword]: value = {} } = node
  if (isNode(value)) return Object.entries(value)
  return refuse(place, `${keyword}: expected an object, got ${shown(value)}`)
}

/** The types that a schema allows; all of them without `type`. `nullable` is of OpenAPI 3.0. */
export const typesOf = (node: Node, place: Place): readonly string[] => {
  if (node.type === undefined) return Object.keys(TYPED)
  const types = [node.type].flat()
  for (const type of types)
    if (type !== 'integer' && !Object.hasOwn(TYPED, `${type}`))
      refuse(place, `type: expected a type of JSON Schema, got ${shown(type)}`)
  return [...new Set(flagOf(node, 'nullable', place) ? [...types, 'null'] : types)] as string[]
}
