import type { Definition } from '../../internal/z/definition.ts'
import { numberChecks, stepChecks } from '../../internal/z/from-json/bounds.ts'
import { below, refuse } from '../../internal/z/from-json/document.ts'
import { entriesOf, flagOf, listOf, wholeOf } from '../../internal/z/from-json/keywords.ts'
import { accepts, isUnique, makeKeys, makeList, makePresent, RUNS } from '../../internal/z/from-json/runs.ts'
import type { Says } from '../../internal/z/json-schema-types.ts'
import { makeObject } from '../../internal/z/object-run.ts'
import { type AnySchema, wrap } from '../../internal/z/schema.ts'
import { ArraySchema, array } from '../array.ts'
import { boolean } from '../boolean.ts'
import { nullValue } from '../null.ts'
import { number } from '../number.ts'
import { ObjectSchema } from '../object.ts'
import { tuple } from '../tuple.ts'
import { unknown } from '../unknown.ts'
import { allOf, refined, saying, type Typed } from './from-json-parts.ts'
import { regexOf, text } from './from-json-text.ts'

/** The schema for values of one type, with the keywords of that type. */
export const typed = (type: string, context: Typed): AnySchema => {
  const { node, place } = context
  switch (type) {
    case 'string':
      return text(context)
    case 'number':
    case 'integer':
      return number().check(...numberChecks(node, type === 'integer', place), ...stepChecks(node, place))
    case 'boolean':
      return boolean()
    case 'null':
      return nullValue()
    case 'array':
      return list(context)
    default:
      return record(context)
  }
}

const list = (context: Typed): AnySchema => {
  const { node, place, build } = context
  const items = Array.isArray(node.items) ? 'items' : 'prefixItems'
  const first = listOf(node, items, place)?.map((one, index) => build(one, below(place, [items, index]))) ?? []
  const rest = items === 'items' ? 'additionalItems' : 'items'
  const least = wholeOf(node, 'minItems', place) ?? 0
  const most = wholeOf(node, 'maxItems', place)
  const further = node[rest] === undefined ? unknown() : build(node[rest], below(place, [rest]))
  const sized = sizedBy(array(further), least, most)
  let made: AnySchema = sized
  if (first.length) {
    const says: Says = (into, target) =>
      target === 'openapi-3.0'
        ? { items: { anyOf: [...first, further].map(into) } }
        : target === 'draft-7'
          ? { items: first.map(into), additionalItems: into(further) }
          : { prefixItems: first.map(into), items: into(further) }
    made = new ArraySchema({ ...sized.def, first, rest: further, says, runs: RUNS } as never, makeList)
  }
  // As many items as there are schemas for: what `tuple` says
  if (first.length && least === first.length && (most === undefined || most >= least)) {
    if (node[rest] === false || most === least) made = tuple(first as [AnySchema])
    else if (most === undefined) made = tuple(first as [AnySchema]).rest(further)
  }
  if (flagOf(node, 'uniqueItems', place))
    made = saying(made.refine(isUnique, 'Items must be unique'), () => ({ uniqueItems: true }))
  return containing(context, made)
}

const sizedBy = (list: ArraySchema<AnySchema>, least: number, most?: number): ArraySchema<AnySchema> => {
  const from = least ? list.min(least) : list
  return most === undefined ? from : from.max(most)
}

const containing = ({ node, place, build }: Typed, made: AnySchema): AnySchema => {
  if (node.contains === undefined) return made
  const wanted = build(node.contains, below(place, ['contains']))
  const least = wholeOf(node, 'minContains', place)
  const most = wholeOf(node, 'maxContains', place)
  const fits = (items: readonly unknown[]): boolean => {
    const answers = items.map((item) => accepts(wanted, item))
    const found = answers.filter(Boolean).length
    return !answers.includes(undefined) && found >= (least ?? 1) && found <= (most ?? found)
  }
  return saying(made.refine(fits, 'Too few or too many items fit'), (into) => ({
    contains: into(wanted),
    ...(least !== undefined && { minContains: least }),
    ...(most !== undefined && { maxContains: most }),
  }))
}

/** Schemas of these kinds refuse `undefined`. */
const REFUSING = /^(?:string|number|boolean|null|literal|enum|array|tuple|object)$/

const present = (schema: AnySchema): AnySchema =>
  REFUSING.test(schema.def.type) ? schema : wrap(schema, 'brand', makePresent, { runs: RUNS })

const record = ({ node, place, patterns: trusted, build, match }: Typed): AnySchema => {
  const required = [...new Set(listOf(node, 'required', place))] as string[]
  if (required.some((key) => typeof key !== 'string')) refuse(place, 'required: expected a list of keys')
  const needed = new Set(required)
  const into = (one: unknown, ...keys: readonly string[]): AnySchema => build(one, below(place, keys))
  const patterns = entriesOf(node, 'patternProperties', place).map(
    ([key, one]) => [regexOf(key, trusted, place, 'patternProperties'), into(one, 'patternProperties', key)] as const,
  )
  const fields = entriesOf(node, 'properties', place).map(([key, one]) => {
    const own = into(one, 'properties', key)
    const others = patterns.filter(([pattern]) => match(pattern, key, place)).map(([, schema]) => schema)
    const all = allOf([own, ...others])
    if (needed.has(key)) return [key, present(all)] as const
    return [key, all.def.type === 'default' ? all : all.optional()] as const
  })
  const { additionalProperties: more = true, propertyNames } = node
  const catchall = typeof more === 'boolean' ? undefined : into(more, 'additionalProperties')
  const shape = Object.fromEntries(fields)
  const names = propertyNames === undefined ? undefined : into(propertyNames, 'propertyNames')
  const says: Says = (describe, target) => ({
    ...(required.length && { required }),
    ...(names && target !== 'openapi-3.0' && { propertyNames: describe(names) }),
    ...(patterns.length &&
      (target === 'openapi-3.0'
        ? { additionalProperties: {} }
        : {
            patternProperties: Object.fromEntries(patterns.map(([{ source }, schema]) => [source, describe(schema)])),
          })),
  })
  const made: AnySchema = new ObjectSchema(
    {
      type: 'object',
      shape,
      unknownKeys: more === false ? 'strict' : 'passthrough',
      catchall,
      patterns,
      names,
      required: required.filter((key) => !Object.hasOwn(shape, key)),
      makeRest: makeKeys,
      says,
      runs: RUNS,
    } as Definition,
    makeObject,
  )
  const minProperties = wholeOf(node, 'minProperties', place)
  const maxProperties = wholeOf(node, 'maxProperties', place)
  if (minProperties === undefined && maxProperties === undefined) return made
  const holds = (value: unknown): boolean => {
    const count = Object.keys(Object(value)).length
    return count >= (minProperties ?? 0) && count <= (maxProperties ?? count)
  }
  const sized = refined(holds, 'Too few or too many keys', () => ({
    ...(minProperties !== undefined && { minProperties }),
    ...(maxProperties !== undefined && { maxProperties }),
  }))
  return allOf([made, sized])
}
