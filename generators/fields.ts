import { usageError } from './errors.ts'
import { splitWords, toCamel, toSnake } from './names.ts'
import { didYouMean } from './suggest.ts'

/** A column in every form that a generated file needs. */
export interface Field {
  /** `firstName`: the property. */
  readonly name: string
  /** `first_name`: the column. */
  readonly column: string
  readonly type: FieldType
  readonly optional: boolean
  /** `string`: what the model calls the column. */
  readonly kind: string
  /** `string`: the type of the property. */
  readonly ts: string
  /** `z.string().min(1)`: what a client may send for it. */
  readonly schema: string
  /** `'varchar(255)'`: the column type as source text, one that all three databases take. */
  readonly sql: string
  /** A value that the schema lets through, as source text. */
  readonly sample: string
}

/** The types that `--fields` knows. */
export type FieldType = keyof typeof TYPES

const TYPES = {
  string: {
    kind: 'string',
    ts: 'string',
    schema: 'z.string().trim().min(1).max(255)',
    sql: "'varchar(255)'",
    sample: "'Ada'",
  },
  text: { kind: 'string', ts: 'string', schema: 'z.string().max(10_000)', sql: "'text'", sample: "'A longer text'" },
  integer: {
    kind: 'number',
    ts: 'number',
    schema: 'z.number().int().min(-2_147_483_648).max(2_147_483_647)',
    sql: "'integer'",
    sample: '7',
  },
  number: { kind: 'number', ts: 'number', schema: 'z.number().finite()', sql: "'double precision'", sample: '1.5' },
  boolean: { kind: 'boolean', ts: 'boolean', schema: 'z.boolean()', sql: "'boolean'", sample: 'true' },
  date: {
    kind: 'date',
    ts: 'Date',
    schema: "z.coerce.date().min(new Date('1000-01-01')).max(new Date('9999-12-31'))",
    sql: "'datetime(3)'",
    sample: "'2026-11-21T10:00:00.000Z'",
  },
} as const

/** Columns that every table has: they are not the client's to set. */
const OWN_COLUMNS: readonly string[] = ['id', 'createdAt', 'updatedAt', 'deletedAt']

/** Properties that a model, or any object, has by itself. */
const MODEL_MEMBERS: readonly string[] = [
  ...['update', 'delete', 'restore', 'forceDelete', 'toJSON', 'constructor', 'prototype'],
  ...['toString', 'toLocaleString', 'valueOf', 'hasOwnProperty', 'isPrototypeOf', 'propertyIsEnumerable'],
]

/**
 * Read `--fields`: names with a type each, `?` behind those that may be left out.
 *
 * @throws {CliError} with exit code 2 for an unknown type, a name that is no identifier, or one that comes twice.
 * @example
 * parseFields('name,email:string?,age:integer')
 */
export const parseFields = (text: string): readonly Field[] => {
  const fields = text.split(',').map((part) => toField(part.trim()))
  const seen = new Set<string>()
  for (const { column, name } of fields) {
    if (seen.has(column)) throw usageError(`--fields names "${name}" twice`)
    seen.add(column)
  }
  return fields
}

const toField = (part: string): Field => {
  const match = /^([A-Za-z][A-Za-z0-9_-]{0,59})(?::([a-z]+))?(\?)?$/.exec(part)
  if (match === null)
    throw usageError(`--fields cannot read "${part}": write name:type, with "?" behind what may be left out`)
  const [, label = '', type = 'string', mark] = match
  if (!isFieldType(type)) {
    const known = Object.keys(TYPES)
    throw usageError(`--fields knows no type "${type}".${didYouMean(type, known)} Types: ${known.join(', ')}`)
  }
  const words = splitWords(label)
  const name = toCamel(words)
  if (OWN_COLUMNS.includes(name) || MODEL_MEMBERS.includes(name))
    throw usageError(`--fields may not name "${name}": the model has it already`)
  return makeField(name, toSnake(words), type, mark !== undefined)
}

const isFieldType = (type: string): type is FieldType => Object.hasOwn(TYPES, type)

const makeField = (name: string, column: string, type: FieldType, optional: boolean): Field => {
  const { kind, ts, schema, sql, sample } = TYPES[type]
  return { name, column, type, optional, kind, ts, schema: optional ? `${schema}.nullish()` : schema, sql, sample }
}

/**
 * The fields that a model file declares, so that a controller or a validator made later fits the model.
 * Reads what the model template writes: the entries of `columns`, and `| null` behind what may be left out.
 */
export const fieldsOfModel = (source: string): readonly Field[] => {
  const columns = /static columns = \{([^}]*)\}/.exec(source)?.[1] ?? ''
  return [...columns.matchAll(/(\w+): *'(\w+)',?(?: *\/\/ *(\w+))?/g)].flatMap(
    ([, name = '', kind = '', narrower = kind]) => {
      if (!isFieldType(narrower) || OWN_COLUMNS.includes(name)) return []
      return [
        makeField(
          name,
          toSnake(splitWords(name)),
          narrower,
          new RegExp(`^\\s+${name}!: \\w+ \\| null$`, 'm').test(source),
        ),
      ]
    },
  )
}
