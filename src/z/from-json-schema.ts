import { checkNames } from '../internal/options.ts'
import { derive } from '../internal/z/core.ts'
import type { AnyCore, Definition } from '../internal/z/definition.ts'
import { makeEnum } from '../internal/z/enum-run.ts'
import { canonical } from '../internal/z/from-json/canonical.ts'
import {
  below,
  checkCost,
  isNode,
  lookUp,
  MOST_SCHEMAS,
  type Node,
  type Part,
  type Place,
  refuse,
  shown,
} from '../internal/z/from-json/document.ts'
import { checkKeywords, listOf, TYPED, typesOf } from '../internal/z/from-json/keywords.ts'
import { accepts, makeExactlyOne, RUNS } from '../internal/z/from-json/runs.ts'
import { MOST_NESTED } from '../internal/z/nested.ts'
import { typeName } from '../internal/z/report.ts'
import { type AnySchema, Schema } from '../internal/z/schema.ts'
import { type Typed, typed } from './all/from-json-types.ts'
import { EnumSchema } from './enum.ts'
import { lazy } from './lazy.ts'
import { literal } from './literal.ts'
import { never } from './never.ts'
import { union } from './union.ts'
import { unknown } from './unknown.ts'

/** Options of {@link fromJsonSchema}. */
export interface FromJsonSchemaOptions {
  /** The document in which `$ref` looks, such as one of OpenAPI. @default the schema itself */
  readonly document?: object
  /** Take every `pattern`. Only for documents that you trust: a pattern can make one request last for hours. @default false */
  readonly patterns?: boolean
}

/**
 * Make a schema of a JSON Schema: draft 2020-12, draft 7, and `nullable` of OpenAPI 3.0.
 *
 * Accepts what the document accepts. Keys that it does not name stay, `default` fills in, unknown formats are not looked
 * at, and a `$ref` has its neighbours beside it. The document may come from somebody else: it cannot fill the stack,
 * and patterns are taken if they are proved to be linear.
 *
 * @throws {TypeError} for a keyword that is not supported, a pattern that is not proved to be linear, a `$ref` to elsewhere, and
 * a document that is wrong: `fromJsonSchema: #/properties/a: "if": this keyword is not supported`.
 * @example
 * fromJsonSchema<{ name: string }>({ type: 'object', properties: { name: { type: 'string' } }, required: ['name'] })
 */
// any: nobody knows the type of a document.
export const fromJsonSchema = <T = any>(schema: object | boolean, options: FromJsonSchemaOptions = {}): Schema<T> => {
  checkNames('fromJsonSchema', options, 'document:object patterns:boolean')
  const { document = schema, patterns = false } = options
  const parts = new Map<string, Part & { readonly schema: AnySchema }>()
  const waiting: (() => void)[] = []
  let count = 0

  /** What a `$ref` names: made once, later, and asked for when a value comes. */
  const refer = (reference: unknown, place: Place): AnySchema => {
    const target = lookUp(document, reference, place.pointer)
    const pointer = reference as string
    const known = parts.get(pointer)
    if (known) {
      if (place.same) place.part.asks.push(known)
      return known.schema
    }
    let made: AnySchema
    const part = { pointer, own: 0, asks: [], schema: lazy(() => made) }
    parts.set(pointer, part)
    waiting.push(() => {
      made = build(target, { pointer, depth: 0, part, same: true })
    })
    return refer(reference, place)
  }

  const build = (node: unknown, place: Place): AnySchema => {
    const { pointer, depth, part, same } = place
    if (depth > MOST_NESTED) refuse(pointer, 'nested too deeply')
    if (++count > MOST_SCHEMAS) refuse(pointer, `more than ${MOST_SCHEMAS} schemas`)
    if (same) part.own++
    if (typeof node === 'boolean') return node ? unknown() : never()
    if (!isNode(node)) return refuse(pointer, `expected a schema, got ${shown(node)}`)
    checkKeywords(node, pointer, pointer === '#')
    return told(node, place, ofNode(node, place))
  }

  const ofNode = (node: Node, place: Place): AnySchema => {
    const each = (keyword: string): AnySchema[] | undefined =>
      listOf(node, keyword, place.pointer)?.map((one, index) => build(one, below(place, [keyword, index], true)))
    const types = typesOf(node, place.pointer)
    const listed = listOf(node, 'enum', place.pointer)
    const isListed = (value: unknown): boolean => !listed || listed.some((one) => canonical(one) === canonical(value))
    const values = 'const' in node ? [node.const].filter(isListed) : listed
    const asks = Object.values(TYPED).some((keywords) => keywords.some((keyword) => keyword in node))
    const any = each('anyOf')
    const one = each('oneOf')
    const sides: AnySchema[] = []
    if ('$ref' in node) sides.push(refer(node.$ref, place))
    if (values)
      sides.push(
        oneOfValues(
          values.filter((value) => isOf(types, value)),
          place.pointer,
        ),
      )
    if (asks || (node.type !== undefined && !values)) {
      const context: Typed = { node, place, patterns, build }
      sides.push(anyOf(types.map((type) => typed(type, context))))
    }
    if (any) sides.push(anyOf(any))
    if (one)
      sides.push(new Schema({ type: 'discriminatedUnion', options: one, runs: RUNS } as Definition, makeExactlyOne))
    sides.push(...(each('allOf') ?? []))
    if ('not' in node) {
      const refused = build(node.not, below(place, ['not'], true))
      sides.push(unknown().refine((value) => !accepts(refused, value), 'Must not fit'))
    }
    const whole = allOf(sides)
    return node.nullable === true && node.type === undefined ? whole.nullable() : whole
  }

  const root: Part = { pointer: '#', own: 0, asks: [] }
  const made = build(schema, { pointer: '#', depth: 0, part: root, same: true })
  for (const make of waiting) make()
  for (const part of [root, ...parts.values()]) checkCost(part)
  return made
}

/** What accepts what all of the sides accept: a tree that is not deep, however many there are. */
const allOf = (sides: readonly AnySchema[]): AnySchema => {
  if (sides.length < 2) return sides[0] ?? unknown()
  const half = sides.length >> 1
  return allOf(sides.slice(0, half)).and(allOf(sides.slice(half)))
}

/** What accepts what one of the options accepts. */
const anyOf = (options: readonly AnySchema[]): AnySchema =>
  options.length > 1 ? union(options as never) : (options[0] ?? never())

/** Does a type of JSON Schema allow a value. */
const isOf = (types: readonly string[], value: unknown): boolean => {
  const type = typeName(value)
  return types.includes(type) || (Number.isInteger(value) && types.includes('integer'))
}

const oneOfValues = (values: readonly unknown[], pointer: string): AnySchema => {
  const types = values.map(typeName)
  if (types.some((type) => type === 'object' || type === 'array')) {
    const texts = values.map((value) => canonical(value) ?? refuse(pointer, 'nested too deeply'))
    return unknown().refine((value) => texts.includes(canonical(value)!), 'Not one of the values')
  }
  if (values.length === 1) return literal(values[0] as string)
  return new EnumSchema({ type: 'enum', values, types } as Definition, makeEnum)
}

/** What a schema tells about itself, beside what it asks. */
const TOLD = ['title', 'examples', 'deprecated', 'readOnly', 'writeOnly'] as const

const told = (node: Node, { pointer }: Place, schema: AnySchema): AnySchema => {
  const { description, default: value } = node
  const isObject = typeof value === 'object' && value !== null
  if (isObject && canonical(value) === undefined) refuse(pointer, 'default: nested too deeply')
  const filled = value === undefined ? schema : schema.default(isObject ? () => structuredClone(value) : value)
  const entries = TOLD.filter((keyword) => node[keyword] !== undefined).map((keyword) => [keyword, node[keyword]])
  if (!entries.length && typeof description !== 'string') return filled
  const meta = entries.length ? { meta: Object.fromEntries(entries) } : {}
  return derive(filled as AnyCore, { ...filled.def, ...meta, description }) as AnySchema
}
