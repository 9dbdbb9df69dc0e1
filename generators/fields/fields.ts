import { usageError } from '../errors.ts'
import { assertFree } from '../names/field-names.ts'
import { modelPath, parseName, splitWords, toCamel, toPascal, toSnake } from '../names/names.ts'
import { didYouMean } from '../suggest.ts'
import { FIELD_TYPES, type FieldShape } from './field-types.ts'
import { isUniqueKey, parseUniqueKey, type UniqueKeys } from './unique-keys.ts'

/** A column in every form that a generated file needs. */
export interface Field extends FieldShape {
  /** The field in `Model.define`: `t.string(40).nullable()`. */
  readonly define: string
  /** `firstName`: the property. */
  readonly name: string
  /** `first_name`: the column. */
  readonly column: string
  /** `decimal` */
  readonly type: string
  /** The type as the user typed it, with its arguments and modifiers: `decimal(10,2):index`. */
  readonly spec: string
  readonly optional: boolean
  /** No two records have the same value. */
  readonly unique: boolean
  /** Records are often looked up by it. */
  readonly index: boolean
  /** The relation, if the field refers to another record. */
  readonly relation?: Relation
  /** The record goes with the one that it refers to. */
  readonly cascade: boolean
  /** What a client sees of it: not set for a field that it may set. */
  readonly visibility?: 'readonly' | 'hidden'
  /** A new record that has no value gets a default one. */
  readonly hasDefault?: boolean
}

/** A record that refers to one of another model. */
export interface Relation {
  /** `owner` of `owner:references(User)`. */
  readonly name: string
  /** `User`, or `admin/User`. */
  readonly model: string
}

/** True if the unique value of a field is made from the number `n`. A UUID is unique without one. */
export const isNumbered = ({ unique, uniqueSample = '' }: Field): boolean => unique && /\bn\b/.test(uniqueSample)

/**
 * Parse fields: each has a name, a type and modifiers, with `?` after optional ones.
 *
 * @throws {CliError} with exit code 2 for an unknown type, a name that is not an identifier, or a repeated name.
 * @example
 * parseFields('name:string!,price:decimal(10,2),status:enum(draft,live),owner:references(User),sku:string:unique')
 */
export const parseFields = (text: string): readonly Field[] => {
  const fields = splitOutside(text, ',').map((part) => toField(part.trim()))
  const seen = new Set<string>()
  for (const { column, name, relation } of fields) {
    for (const word of new Set([column, toSnake(splitWords(relation?.name ?? name))])) {
      if (seen.has(word)) throw usageError(`The field "${relation?.name ?? name}" is named twice`)
      seen.add(word)
    }
  }
  return fields
}

/** Columns, and what is unique together. */
export interface ParsedFields {
  readonly fields: readonly Field[]
  readonly unique: UniqueKeys
}

/**
 * Parse fields, and keys such as `unique(article,tag)`.
 *
 * @throws {CliError} with exit code 2, as {@link parseFields}
 */
export const parseColumns = (text: string): ParsedFields => {
  const words = splitOutside(text, ',').map((part) => part.trim())
  const columns = words.filter((part) => !isUniqueKey(part))
  return {
    fields: columns.length === 0 ? [] : parseFields(columns.join(',')),
    unique: words.filter(isUniqueKey).map(parseUniqueKey),
  }
}

/** Split at the separators outside of brackets. */
const splitOutside = (text: string, separator: ',' | ':'): string[] => {
  const parts = ['']
  let depth = 0
  for (const letter of text) {
    if (letter === '(') depth++
    if (letter === ')') depth--
    if (letter === separator && depth === 0) parts.push('')
    else parts.push((parts.pop() ?? '') + letter)
  }
  return parts
}

/** A type with its arguments: `decimal(10,2)`. */
const TYPE = /^([a-z]+)(?:\(([^()]*)\))?$/

const toField = (part: string): Field => {
  const [label = '', ...rest] = splitOutside(part, ':').map((piece) => piece.replace(/[?!]$/, ''))
  const [typed = 'string', ...modifiers] = rest
  if (typed.startsWith('hasMany'))
    throw usageError(`${label} is not a column: write "${label}: t.hasMany(() => Model)," into the model`)
  const match = TYPE.exec(typed)
  const foreign = modifiers.find((modifier) => !['unique', 'index', 'cascade'].includes(modifier))
  if (!/^[A-Za-z][A-Za-z0-9_-]{0,59}$/.test(label) || match === null || foreign !== undefined) {
    throw usageError(
      `Cannot read the field "${part}": write name:type, with "?" after an optional field,` +
        ' and ":unique" or ":index" after the type, or ":cascade" after references(Model)',
    )
  }
  const [, type = '', list] = match
  const args = list === undefined ? [] : list.split(',').map((each) => each.trim())
  const shape = readType(type, args)
  const named = type === 'references' ? referring(label, args[0]) : { name: toCamel(splitWords(label)) }
  assertFree(named.name)
  if ('relation' in named) assertFree(named.relation.name)
  const unique = modifiers.includes('unique')
  if (unique && shape.uniqueSample === undefined) throw usageError(`A field of type ${type} cannot be unique`)
  const cascade = modifiers.includes('cascade')
  if (cascade && type !== 'references')
    throw usageError(`A field of type ${type} cannot cascade: only references(Model) can`)
  const optional = /\?(?::|$)/.test(part)
  const bracket = args.length === 0 ? '' : `(${args.join(',')})`
  const model = 'relation' in named ? named.relation.model.replace(/^.*\//, '') : undefined
  const { define = model ? `t.belongsTo(() => ${model})` : `t.${type}()` } = shape
  return {
    ...shape,
    ...named,
    column: toSnake(splitWords(named.name)),
    type,
    define: define + (optional ? '.nullable()' : '') + (unique ? '.unique()' : ''),
    schema: shape.schema + (optional ? '.nullish()' : ''),
    spec: [type + bracket, ...modifiers].join(':'),
    optional,
    unique,
    index: modifiers.includes('index'),
    cascade,
  }
}

const readType = (type: string, args: readonly string[]): FieldShape => {
  const types = Object.keys(FIELD_TYPES)
  const rule = Object.hasOwn(FIELD_TYPES, type) ? FIELD_TYPES[type] : undefined
  if (rule === undefined) {
    throw usageError(`There is no field type "${type}".${didYouMean(type, types)} Types: ${types.join(', ')}`)
  }
  const shape = rule.shape(...args)
  if (shape === undefined)
    throw usageError(`A field of type ${type}: write ${type}${rule.usage}, not ${type}(${args.join(',')})`)
  return shape
}

/**
 * `owner:references(User)` is the column `owner_id` and the relation `owner`. Without a model, the name of the field is
 * used.
 */
const referring = (label: string, target: string | undefined): { name: string; relation: Relation } => {
  const words = splitWords(label)
  const nameWords = words.length > 1 && words.at(-1)?.toLowerCase() === 'id' ? words.slice(0, -1) : words
  const model = parseName(target ?? toPascal(nameWords))
  return { name: toCamel([...nameWords, 'Id']), relation: { name: toCamel(nameWords), model: modelPath(model) } }
}
