import { isOurs } from '../schema/check-value.ts'
import type { AnyCore, DefinitionParts } from '../z/definition.ts'
import { type Input, membersOf } from './parameters.ts'
import { coercesInput, type Schemas } from './schemas.ts'
import type { JsonSchema, Operation } from './types.ts'

const JSON_TYPE = 'application/json'
const URLENCODED = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data'

/** The body of a request, by the content types in which it can be sent. */
export const bodyOf = (inputs: readonly Input[], schemas: Schemas, where: string): Operation['requestBody'] => {
  const bodies = inputs.filter(({ source }) => source === 'body')
  if (!bodies.length) return undefined
  const described = bodies.map(({ schema }) => schemas.describe(schema, `${where}: body`))
  const schema = described.length > 1 ? { allOf: described } : described[0]!
  const types = bodies
    .map((body, index) => acceptedTypes(body.type, typesOf(body.schema, described[index]!, schemas)))
    .reduce((common, accepted) => common.filter((type) => accepted.includes(type)))
  return { required: true, content: Object.fromEntries(types.map((type) => [type, { schema }])) }
}

const acceptedTypes = (kind: Input['type'], types: string[]): string[] => {
  if (kind === 'json') return [JSON_TYPE]
  const forms = types.filter((type) => type !== JSON_TYPE)
  return kind ? (forms.length ? forms : [URLENCODED, MULTIPART]) : types
}

/** JSON, unless there are files; also forms, if every field can be a string. */
const typesOf = (schema: unknown, described: JsonSchema, schemas: Schemas): string[] => {
  const members = membersOf(described, schemas)
  if (!members) return [JSON_TYPE]
  const fields = Object.values(members.properties)
  if (fields.some((field) => holdsFile(schemas.resolve(field)))) return [MULTIPART]
  const fits = isOurs(schema) ? takesTexts(schema, true) : fields.every(({ type }) => type === 'string')
  return fits ? [JSON_TYPE, URLENCODED, MULTIPART] : [JSON_TYPE]
}

/** Whether a JSON Schema contains a file in a place where a form can have one. */
const holdsFile = (schema: unknown): boolean => {
  if (typeof schema !== 'object' || schema === null) return false
  const { format, contentEncoding, properties, items, anyOf, allOf, oneOf } = schema as Record<string, unknown>
  if (format === 'binary' || contentEncoding === 'binary') return true
  const lists = [properties && Object.values(properties), [items], anyOf, allOf, oneOf]
  return lists.some((list) => Array.isArray(list) && list.some(holdsFile))
}

/** Whether the schema can accept a string, or a list of strings. */
const takesTexts = ({ def }: AnyCore, top: boolean, depth = 0): boolean => {
  const { type, inner, left, right, options, shape, value, values, getter } = def as DefinitionParts
  const into = (child: AnyCore): boolean => takesTexts(child, top, depth + 1)
  if (depth > 32) return false
  if (coercesInput(def) || /^(string|stringbool|any|unknown|preprocess)$/.test(type)) return !top
  if (type === 'object') return top && Object.values(shape!).every((field) => takesTexts(field, false, depth + 1))
  if (type === 'intersection') return into(left!) && into(right!)
  if (type === 'union') return !top && options!.some(into)
  if (type === 'enum') return values!.some((member) => typeof member === 'string')
  if (type === 'literal') return typeof value === 'string'
  if (type === 'array') return !top && into(inner!)
  if (type === 'lazy') return into(getter!())
  return !!inner && into(inner)
}
