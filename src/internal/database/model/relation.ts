import { propertyOf } from '../property.ts'
import { Condition } from './condition.ts'
import { type ModelClass, toRecord } from './record.ts'
import { selectRows } from './select.ts'
import { tableOf } from './table.ts'

/** How one model refers to another; made by `belongsTo`, `hasOne` and `hasMany`. */
export class Relation<out V> {
  /** Only for the compiler: the type of the property once the relation is loaded. */
  declare readonly '~loaded'?: V
  readonly kind: 'belongsTo' | 'hasOne' | 'hasMany'
  /** A function, so that two models that refer to each other may be declared in any order. */
  readonly model: () => ModelClass
  /** The column that holds the id: of this model for `belongsTo`, else of the other one. */
  readonly column: string

  constructor(kind: Relation<V>['kind'], model: () => ModelClass, column: string) {
    this.kind = kind
    this.model = model
    this.column = column
  }
}

/** Relations by their name. */
export type Relations = Readonly<Record<string, Relation<unknown>>>

/** Number of ids in one query; every database accepts this many parameters. */
const BATCH = 10_000

/**
 * Put the related records into each record: one query per relation (and per 10,000 ids), however many records there
 * are.
 *
 * @throws {TypeError} if the model has no such relation, or its column is not declared.
 */
export const loadRelations = async (
  source: ModelClass,
  relations: unknown,
  records: readonly object[],
  names: readonly string[],
): Promise<void> => {
  if (!Array.isArray(names)) throw new TypeError(`with: expected a list of relations, got ${JSON.stringify(names)}`)
  for (const name of new Set(names)) {
    const relation = Object.hasOwn(Object(relations), name) ? propertyOf(relations, name) : undefined
    if (!(relation instanceof Relation)) throw new TypeError(`with: ${source.name} has no relation '${String(name)}'`)
    await loadRelation(source, name, relation, records)
  }
}

const loadRelation = async (
  source: ModelClass,
  name: string,
  relation: Relation<unknown>,
  records: readonly object[],
): Promise<void> => {
  const other = relation.model()
  const isOwn = relation.kind === 'belongsTo'
  const [here, there] = isOwn ? [relation.column, 'id'] : ['id', relation.column]
  const owner = tableOf(isOwn ? source : other)
  if (!owner.kinds.has(relation.column)) {
    throw new TypeError(`${source.name}.relations.${name}: ${owner.model} has no column '${relation.column}'`)
  }
  if (tableOf(source).kinds.has(name) || name in source.prototype) {
    throw new TypeError(`${source.name}.relations.${name}: the name is taken by a column or a method`)
  }
  const keys = [...new Set(records.map((record) => cellOf(record, here)).filter((key) => key !== null))]
  const found = new Map<string, object[]>()
  for (let from = 0; from < keys.length; from += BATCH) {
    const values = keys.slice(from, from + BATCH)
    const rows = await selectRows(other, 'without', { where: { [there]: new Condition({ is: 'in', values }) } })
    for (const record of rows.map((row) => toRecord(other, row))) {
      const key = String(cellOf(record, there))
      const group = found.get(key)
      if (group) group.push(record)
      else found.set(key, [record])
    }
  }
  for (const record of records) {
    const related = found.get(String(cellOf(record, here))) ?? []
    Object.assign(record, { [name]: relation.kind === 'hasMany' ? related : related[0] })
  }
}

/** A cell of a record; null if it has none. */
const cellOf = (record: object, column: string): unknown => propertyOf(record, column) ?? null
