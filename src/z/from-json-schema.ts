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
  MOST_MATCHED,
  MOST_SCHEMAS,
  type Node,
  type Part,
  type Place,
  refuse,
  shown,
} from '../internal/z/from-json/document.ts'
import { checkKeywords, flagOf, listOf, schemasOf, TYPED, typesOf } from '../internal/z/from-json/keywords.ts'
import { makeReference } from '../internal/z/from-json/reference.ts'
import { accepts, makeExactlyOne, makeFilled, RUNS } from '../internal/z/from-json/runs.ts'
import { MOST_NESTED } from '../internal/z/nested.ts'
import { typeName } from '../internal/z/report.ts'
import { type AnySchema, Schema, wrap } from '../internal/z/schema.ts'
import { allOf, refined, type Typed } from './all/from-json-parts.ts'
import { typed } from './all/from-json-types.ts'
import { EnumSchema } from './enum.ts'
import { LazySchema } from './lazy.ts'
import { literal } from './literal.ts'
import { never } from './never.ts'
import { union } from './union.ts'
import { unknown } from './unknown.ts'

/** Options of {@link fromJsonSchema}. */
export interface FromJsonSchemaOptions {
  /** The document in which `$ref` looks, such as one of OpenAPI. @default the schema itself */
  readonly document?: object
  /**
   * Take every `pattern`. Only for documents that you trust: a pattern can make one request last for hours.
   * @default false
   */
  readonly patterns?: boolean
}

/**
 * Make a schema of a JSON Schema: draft 2020-12, draft 7, and `nullable` of OpenAPI 3.0.
 *
 * Accepts what the document accepts. Keys that it does not name stay, `default` fills in where it fits its own schema,
 * unknown formats are not looked at, and a `$ref` has its neighbours beside it. The document may come from somebody
 * else: it cannot fill the stack, the work that it asks for is limited, and patterns are taken if they are proved to be
 * linear.
 *
 * @throws {TypeError} for a keyword that is not supported, a pattern that is not proved to be linear, a `$ref` to
 * elsewhere, and a document that is wrong: `fromJsonSchema: #/properties/a: "if": this keyword is not supported`.
 * @example
 * fromJsonSchema<{ name: string }>({ type: 'object', properties: { name: { type: 'string' } }, required: ['name'] })
 */
// any: nobody knows the type of a document.
export const fromJsonSchema = <T = any>(schema: object | boolean, options: FromJsonSchemaOptions = {}): Schema<T> => {
  checkNames('fromJsonSchema', options, 'document:object patterns:boolean')
  const { document = schema, patterns = false } = options
  const root: Part = { pointer: '#', own: 0, asks: [] }
  const parts = new Map<unknown, Part & { readonly schema: AnySchema }>()
  const waiting: (() => void)[] = []
  let count = 0
  let matched = 0

  /** Whether a pattern matches a name; the number of matches that a document may ask for has a limit. */
  const match = (pattern: RegExp, name: string, place: Place): boolean => {
    matched += name.length + 1
    if (matched > MOST_MATCHED)
      refuse(place, `patternProperties: more than ${MOST_MATCHED} characters of names to match`)
    return pattern.test(name)
  }

  /** What a `$ref` names: made once, later, and asked for when a value comes. */
  const refer = (reference: unknown, place: Place): AnySchema => {
    const target = lookUp(document, reference, place)
    const pointer = reference as string
    // One schema has many pointers: its letters may be escaped
    const key = isNode(target) ? target : pointer
    const known = parts.get(key)
    if (known) {
      if (place.same) place.part.asks.push(known)
      return known.schema
    }
    let made: AnySchema
    const part = {
      pointer,
      own: 0,
      asks: [],
      schema: new LazySchema({ type: 'lazy', getter: () => made } as Definition, makeReference),
    }
    parts.set(key, part)
    waiting.push(() => {
      made = build(target, { depth: 0, part, same: true })
    })
    return refer(reference, place)
  }

  const build = (node: unknown, place: Place): AnySchema => {
    const { depth, part, same } = place
    if (depth > MOST_NESTED) refuse(place, 'nested too deeply')
    if (++count > MOST_SCHEMAS) refuse(place, `more than ${MOST_SCHEMAS} schemas`)
    if (same) part.own++
    if (typeof node === 'boolean') return node ? unknown() : never()
    if (!isNode(node)) return refuse(place, `expected a schema, got ${shown(node)}`)
    checkKeywords(node, place, !depth && part === root)
    return told(node, place, ofNode(node, place))
  }

  const ofNode = (node: Node, place: Place): AnySchema => {
    const each = (keyword: string): AnySchema[] | undefined =>
      schemasOf(node, keyword, place)?.map((one, index) => build(one, below(place, [keyword, index], true)))
    const types = typesOf(node, place)
    const listed = listOf(node, 'enum', place)
    const texts = new Set('const' in node ? listed?.map(canonical) : [])
    const isListed = (value: unknown): boolean => !listed || texts.has(canonical(value))
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
          place,
        ),
      )
    if (asks || (node.type !== undefined && !values)) {
      const context: Typed = { node, place, patterns, build, match }
      sides.push(anyOf(types.map((type) => typed(type, context))))
    }
    if (any) sides.push(anyOf(any))
    if (one)
      sides.push(new Schema({ type: 'discriminatedUnion', options: one, runs: RUNS } as Definition, makeExactlyOne))
    sides.push(...(each('allOf') ?? []))
    if ('not' in node) {
      const refused = build(node.not, below(place, ['not'], true))
      sides.push(
        refined(
          (value) => accepts(refused, value) === false,
          'Must not fit',
          (into) => ({ not: into(refused) }),
        ),
      )
    }
    const whole = allOf(sides)
    return flagOf(node, 'nullable', place) && node.type === undefined ? whole.nullable() : whole
  }

  const made = build(schema, { depth: 0, part: root, same: true })
  for (const make of waiting) make()
  for (const part of [root, ...parts.values()]) checkCost(part)
  return made
}

/** A schema that accepts what one of the options accepts. */
const anyOf = (options: readonly AnySchema[]): AnySchema =>
  options.length > 1 ? union(options as never) : (options[0] ?? never())

/** Whether a type of JSON Schema allows a value. */
const isOf = (types: readonly string[], value: unknown): boolean => {
  const type = typeName(value)
  return types.includes(type) || (Number.isInteger(value) && types.includes('integer'))
}

const oneOfValues = (values: readonly unknown[], place: Place): AnySchema => {
  const types = values.map(typeName)
  if (types.some((type) => type === 'object' || type === 'array')) {
    const texts = new Set(values.map((value) => canonical(value) ?? refuse(place, 'nested too deeply')))
    return refined(
      (value) => texts.has(canonical(value)!),
      'Not one of the values',
      () => ({ enum: values }),
    )
  }
  if (values.length === 1) return literal(values[0] as string)
  return new EnumSchema({ type: 'enum', values, types } as Definition, makeEnum)
}

/** What a schema tells about itself, beside what it asks. */
const TOLD = ['title', 'examples', 'deprecated', 'readOnly', 'writeOnly'] as const

const told = (node: Node, place: Place, schema: AnySchema): AnySchema => {
  const { description, default: value } = node
  const isObject = typeof value === 'object' && value !== null
  if (isObject && canonical(value) === undefined) refuse(place, 'default: nested too deeply')
  const fill = isObject ? () => structuredClone(value) : value
  const filled =
    value === undefined
      ? schema
      : wrap(schema, 'default', makeFilled, { value: fill, says: () => ({ default: value }), runs: RUNS })
  const entries = TOLD.filter((keyword) => node[keyword] !== undefined).map((keyword) => [keyword, node[keyword]])
  if (!entries.length && typeof description !== 'string') return filled
  const meta = entries.length ? { meta: Object.fromEntries(entries) } : {}
  return derive(filled as AnyCore, { ...filled.def, ...meta, description }) as AnySchema
}
