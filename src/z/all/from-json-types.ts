import type { Check, Definition } from '../../internal/z/definition.ts'
import { isTime } from '../../internal/z/format-tests.ts'
import { lengthChecks, numberChecks, stepOf } from '../../internal/z/from-json/bounds.ts'
import { below, type Node, type Place, refuse, shown } from '../../internal/z/from-json/document.ts'
import { isLinear } from '../../internal/z/from-json/is-linear.ts'
import { entriesOf, listOf, wholeOf } from '../../internal/z/from-json/keywords.ts'
import { accepts, isUnique, makeKeys, makeList, makePresent, RUNS } from '../../internal/z/from-json/runs.ts'
import { sourceOf } from '../../internal/z/json-schema-pattern.ts'
import { makeObject } from '../../internal/z/object-run.ts'
import { type AnySchema, wrap } from '../../internal/z/schema.ts'
import { EMAIL, patternCheck, textCheck } from '../../internal/z/string-checks.ts'
import { ArraySchema, array } from '../array.ts'
import { boolean } from '../boolean.ts'
import { base64, base64url, cidr, date, datetime, duration, ip, jwt } from '../formats.ts'
import { nullValue } from '../null.ts'
import { number } from '../number.ts'
import { ObjectSchema } from '../object.ts'
import { type StringSchema, string } from '../string.ts'
import { tuple } from '../tuple.ts'
import { union } from '../union.ts'
import { unknown } from '../unknown.ts'

/** What is known where the keywords of one type are read. */
export interface Typed {
  readonly node: Node
  readonly place: Place
  readonly patterns: boolean
  readonly build: (node: unknown, place: Place) => AnySchema
}

/** The schema for values of one type, with the keywords of that type. */
export const typed = (type: string, context: Typed): AnySchema => {
  const { node, place } = context
  switch (type) {
    case 'string':
      return text(context)
    case 'number':
    case 'integer': {
      const checked = number().check(...numberChecks(node, type === 'integer', place.pointer))
      const step = stepOf(node, place.pointer)
      return step === undefined ? checked : checked.multipleOf(step)
    }
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

/** The formats that are checked. Others tell something, as JSON Schema Validation §7.2.1 has it. */
const FORMATS: { readonly [format: string]: ((schema: StringSchema) => StringSchema) | undefined } = {
  email: (schema) => schema.email(),
  uuid: (schema) => schema.uuid(),
  uri: (schema) => schema.url(),
  date: (schema) => schema.check(date()),
  'date-time': (schema) => schema.check(datetime({ offset: true })),
  // RFC 3339 asks for a zone; the times of `z` have none
  time: (schema) => {
    const holds = isTime({})
    return schema.check(textCheck('time', (value) => holds(value.replace(ZONE, ''))))
  },
  duration: (schema) => schema.check(duration()),
  ipv4: (schema) => schema.check(ip({ version: 'v4' })),
  ipv6: (schema) => schema.check(ip({ version: 'v6' })),
  cidrv4: (schema) => schema.check(cidr({ version: 'v4' })),
  cidrv6: (schema) => schema.check(cidr({ version: 'v6' })),
  jwt: (schema) => schema.check(jwt()),
}

const ZONE = /(?:Z|[+-]\d\d:\d\d)$/i

const text = ({ node, place, patterns }: Typed): AnySchema => {
  const { pattern, format } = node
  const sized = string().check(...lengthChecks(node, place.pointer))
  const formed = (typeof format === 'string' && Object.hasOwn(FORMATS, format) && FORMATS[format]?.(sized)) || sized
  return pattern === undefined ? formed : formed.check(patternOf(pattern, patterns, place.pointer, 'pattern'))
}

/** Formats that `toJsonSchema` writes as patterns which are linear, though the proof does not reach them. */
const proved = (): readonly Check[] => [patternCheck('email', EMAIL), base64(), base64url()]

const patternOf = (source: unknown, trusted: boolean, pointer: string, keyword: string): Check => {
  const known = proved().find(({ value }) => sourceOf(value as RegExp)[0] === source)
  return known ?? patternCheck('regex', regexOf(source, trusted, pointer, keyword), undefined, 'Invalid')
}

/** A pattern, read as JSON Schema asks for it: with the flag `u`. */
const regexOf = (source: unknown, trusted: boolean, pointer: string, keyword: string): RegExp => {
  let pattern: RegExp
  try {
    if (typeof source !== 'string') throw TypeError
    pattern = new RegExp(source, 'u')
  } catch {
    return refuse(pointer, `${keyword}: expected a pattern that is valid with the flag "u", got ${shown(source)}`)
  }
  if (trusted || isLinear(source)) return pattern
  return refuse(
    pointer,
    `${keyword}: ${shown(source)} is not proved to take linear time. Write it so that one character decides how to go on, begin it with "^", or pass \`patterns: true\` if you trust the document`,
  )
}

const list = ({ node, place, build }: Typed): AnySchema => {
  const { pointer } = place
  const items = Array.isArray(node.items) ? 'items' : 'prefixItems'
  const first = listOf(node, items, pointer)?.map((one, index) => build(one, below(place, [items, index]))) ?? []
  const rest = items === 'items' ? 'additionalItems' : 'items'
  const least = wholeOf(node, 'minItems', pointer) ?? 0
  const most = wholeOf(node, 'maxItems', pointer)
  const further = node[rest] === undefined ? unknown() : build(node[rest], below(place, [rest]))
  const sized = sizedBy(array(first.length ? union([...first, further] as never) : further), least, most)
  let made: AnySchema = sized
  if (first.length) made = new ArraySchema({ ...sized.def, first, rest: further, runs: RUNS } as never, makeList)
  // As many items as there are schemas for: what `tuple` says
  if (first.length && least === first.length && (most === undefined || most >= least)) {
    if (node[rest] === false || most === least) made = tuple(first as [AnySchema])
    else if (most === undefined) made = tuple(first as [AnySchema]).rest(further)
  }
  if (node.uniqueItems === true) made = made.refine(isUnique, 'Items must be unique')
  return containing({ node, place, build }, made)
}

const sizedBy = (list: ArraySchema<AnySchema>, least: number, most?: number): ArraySchema<AnySchema> => {
  const from = least ? list.min(least) : list
  return most === undefined ? from : from.max(most)
}

const containing = ({ node, place, build }: Omit<Typed, 'patterns'>, made: AnySchema): AnySchema => {
  if (node.contains === undefined) return made
  const wanted = build(node.contains, below(place, ['contains']))
  const least = wholeOf(node, 'minContains', place.pointer) ?? 1
  const most = wholeOf(node, 'maxContains', place.pointer) ?? Number.POSITIVE_INFINITY
  const fits = (items: readonly unknown[]): boolean => {
    const found = items.filter((item) => accepts(wanted, item)).length
    return found >= least && found <= most
  }
  return made.refine(fits, 'Too few or too many items fit')
}

/** Schemas of these kinds refuse `undefined`. */
const REFUSING = /^(?:string|number|boolean|null|literal|enum|array|tuple|object)$/

const present = (schema: AnySchema): AnySchema =>
  REFUSING.test(schema.def.type) ? schema : wrap(schema, 'brand', makePresent, { runs: RUNS })

const record = ({ node, place, patterns: trusted, build }: Typed): AnySchema => {
  const { pointer } = place
  const required = [...new Set(listOf(node, 'required', pointer))] as string[]
  if (required.some((key) => typeof key !== 'string')) refuse(pointer, 'required: expected a list of keys')
  const into = (one: unknown, ...keys: readonly string[]): AnySchema => build(one, below(place, keys))
  const patterns = entriesOf(node, 'patternProperties', pointer).map(
    ([key, one]) => [regexOf(key, trusted, pointer, 'patternProperties'), into(one, 'patternProperties', key)] as const,
  )
  const fields = entriesOf(node, 'properties', pointer).map(([key, one]) => {
    const own = into(one, 'properties', key)
    const all = patterns.filter(([pattern]) => pattern.test(key)).reduce((left, [, right]) => left.and(right), own)
    if (required.includes(key)) return [key, present(all)] as const
    return [key, all.def.type === 'default' ? all : all.optional()] as const
  })
  const { additionalProperties: more } = node
  const catchall = typeof more === 'object' && more !== null ? into(more, 'additionalProperties') : undefined
  const shape = Object.fromEntries(fields)
  const made: AnySchema = new ObjectSchema(
    {
      type: 'object',
      shape,
      unknownKeys: more === false ? 'strict' : 'passthrough',
      catchall,
      patterns,
      names: node.propertyNames === undefined ? undefined : into(node.propertyNames, 'propertyNames'),
      required: required.filter((key) => !Object.hasOwn(shape, key)),
      makeRest: makeKeys,
      runs: RUNS,
    } as Definition as never,
    makeObject,
  )
  const least = wholeOf(node, 'minProperties', pointer) ?? 0
  const most = wholeOf(node, 'maxProperties', pointer) ?? Number.POSITIVE_INFINITY
  if (!least && most === Number.POSITIVE_INFINITY) return made
  const sized = unknown().refine((value) => {
    const count = Object.keys(Object(value)).length
    return count >= least && count <= most
  }, 'Too few or too many keys')
  return made.and(sized)
}
