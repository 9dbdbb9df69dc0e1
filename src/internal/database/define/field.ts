import type { ColumnType } from '../model/limit.ts'
import type { ModelClass } from '../model/record.ts'
import { isObject, propertyOf } from '../property.ts'

/** Where clients see a column: `open` in inputs and responses, `readonly` in responses, `hidden` in neither. */
export type Visibility = 'open' | 'readonly' | 'hidden'

/** Names the schemas of a column, so that a model without schemas bundles no `z`. */
export type Rule =
  | 'string'
  | 'text'
  | 'email'
  | 'url'
  | 'uuid'
  | 'integer'
  | 'number'
  | 'decimal'
  | 'boolean'
  | 'date'
  | 'enum'
  | 'json'
  /** The id of a related record. */
  | 'key'

/** A column, as data for the table, the schemas and messages. */
export interface ColumnSpec {
  readonly type: ColumnType
  readonly rule: Rule
  readonly args: readonly unknown[]
  readonly nullable?: boolean
  readonly fallback?: unknown
  readonly unique?: boolean
  readonly visibility?: Visibility
  /** More rules for what a client sends. */
  readonly refine?: (schema: never) => unknown
}

/** A relation, as data. */
export interface RelationSpec extends Pick<ColumnSpec, 'nullable' | 'unique' | 'visibility'> {
  /** The `belongsTo` of the other (or of the joining) model that refers back, if it has several. */
  readonly by?: string
  /** The `belongsTo` of the joining model that refers to the target, if it has several. */
  readonly to?: string
  /** The joining model. */
  readonly through?: object
}

/** A field of `Model.define`, without its types. */
export type Field =
  | { readonly is: 'column'; readonly spec: ColumnSpec }
  | {
      readonly is: 'belongsTo' | 'hasMany' | 'hasOne' | 'manyToMany'
      readonly model: unknown
      readonly spec: RelationSpec
    }

/** A model: a class made by `Model.define`, or a plain one, which has no fields. */
export interface QueriedModel extends ModelClass {
  readonly fields?: Readonly<Record<string, Field>>
}

/** A class made by `Model.define`. */
export interface DefinedModel extends QueriedModel {
  readonly fields: Readonly<Record<string, Field>>
  readonly unique: readonly (readonly string[])[]
}

/** The columns of fields, as `static columns` has them. */
export const columnsOf = (fields: Readonly<Record<string, Field>>): Record<string, ColumnType> => {
  const columns: Record<string, ColumnType> = {}
  for (const [name, field] of Object.entries(fields)) {
    if (field.is === 'column') columns[name] = field.spec.type
    if (field.is === 'belongsTo') columns[`${name}Id`] = 'integer'
  }
  return columns
}

/** The values of a new record: the defaults of its columns, overridden by the values that were passed. */
export const withDefaults = ({ fields = {} }: QueriedModel, values: object): object => {
  if (!isObject(values)) return values
  const defaults = Object.entries(fields).map(([name, { spec }]) => [name, propertyOf(spec, 'fallback')])
  const passed = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries([...defaults, ...passed])
}

/** The property of a column: `authorId` for the field `author`. */
const propertyOfField = (model: DefinedModel, name: string): string =>
  model.fields[name]?.is === 'belongsTo' ? `${name}Id` : name

/** @throws {TypeError} unless the columns are a unique key: without one, two requests at once would both insert. */
export const assertUnique = (model: DefinedModel, method: string, names: readonly string[]): void => {
  const single = Object.entries(model.fields).flatMap(([name, { spec }]) =>
    spec.unique ? [[propertyOfField(model, name)]] : [],
  )
  const composite = model.unique.map((list) => list.map((name) => propertyOfField(model, name)))
  const key = [...names].sort().join(', ')
  const declared = [...single, ...composite].map((list) => [...list].sort().join(', '))
  if (declared.includes(key)) return
  throw new TypeError(`${model.name}.${method}: expected a unique key (${declared.join(' | ')}), got ${key || 'none'}`)
}
