import { checkNames } from '../../options/check.ts'
import { Condition } from '../model/condition.ts'
import { withHttpErrors } from '../model/query-error.ts'
import { toRecord } from '../model/record.ts'
import { orderQuery, rowsOf, type Search } from '../model/select.ts'
import { tableOf } from '../model/table.ts'
import type { QueriedModel } from './field.ts'
import { type Path, pathOf } from './path.ts'
import { andWhere, findRows, queryColumn, queryWhere } from './search.ts'

export type AnyRecord = Record<string, unknown>

/** The relations to load, such as `['author']`, or `{ author: true, comments: { with, where, orderBy } }`. */
type RelationSelection = readonly string[] | Readonly<Record<string, unknown>>

/** The different keys in lists of 10,000. Every database accepts this many parameters. */
const batchKeys = (records: readonly AnyRecord[], property: string): unknown[][] => {
  const keys = new Set(records.map((record) => record[property]).filter((key) => key !== null && key !== undefined))
  return inChunks([...keys], 10_000)
}

export const inChunks = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))

export const loadRecords = (
  model: QueriedModel,
  { with: relations = [], count = [], ...search }: Search & { with?: RelationSelection; count?: readonly string[] },
): Promise<AnyRecord[]> => {
  const records = findRows(model, search).then((rows) => rows.map((row) => toRecord(model, row) as AnyRecord))
  const isAlone = Array.isArray(relations) && relations.length + count.length === 0
  return isAlone ? records : records.then((records) => withRelated(model, records, relations, count))
}

export const withRelated = async (
  model: QueriedModel,
  records: AnyRecord[],
  relations: RelationSelection,
  count: readonly string[],
): Promise<AnyRecord[]> => {
  await loadRelations(model, records, relations)
  for (const name of count) await countRelated(model, records, name)
  return records
}

/** Sends one query for each relation (and 10,000 ids) at each depth. */
const loadRelations = async (
  model: QueriedModel,
  records: readonly AnyRecord[],
  relations: RelationSelection,
): Promise<void> => {
  if (typeof relations !== 'object' || relations === null)
    throw new TypeError(`with: expected a list of relations, got ${JSON.stringify(relations)}`)
  const entries: [string, unknown][] = Array.isArray(relations)
    ? [...new Set(relations)].map((name) => [name, true])
    : Object.entries(relations)
  for (const [name, inner] of entries) {
    if (inner === undefined) continue
    const options = inner === true ? {} : (inner as RelationOptions)
    checkNames(`${model.name}: with.${name}`, options, 'with where orderBy')
    await loadRelation(records, name, pathOf(model, name), options)
  }
}

interface RelationOptions {
  readonly with?: RelationSelection
  readonly where?: object
  readonly orderBy?: object
}

const loadRelation = async (
  records: readonly AnyRecord[],
  name: string,
  path: Path,
  { with: deeper = [], ...search }: RelationOptions,
): Promise<void> => {
  const { kind, target, localKey } = path
  const groups = new Map<string, AnyRecord[]>()
  const loaded: AnyRecord[] = []
  for (const keys of batchKeys(records, localKey)) {
    for (const [key, record] of await findRelated(path, keys, search)) {
      const group = groups.get(key)
      if (group) group.push(record)
      else groups.set(key, [record])
      loaded.push(record)
    }
  }
  await loadRelations(target, loaded, deeper)
  const isMany = kind === 'hasMany' || kind === 'manyToMany'
  for (const record of records) {
    const group = groups.get(String(record[localKey])) ?? []
    record[name] = isMany ? group : group[0]
  }
}

/** Related records, each with the key of the record that it belongs to. */
const findRelated = async (
  { target, foreignKey, through }: Path,
  keys: readonly unknown[],
  { where, orderBy }: RelationOptions,
): Promise<[string, AnyRecord][]> => {
  if (!through) {
    const key = new Condition({ is: 'in', values: keys })
    const rows = await findRows(target, { where: andWhere(where, { [foreignKey]: key }), orderBy })
    return rows.map((row) => [String(row[foreignKey]), toRecord(target, row) as AnyRecord])
  }
  const join = through.model.tableName
  const query = orderQuery(target, queryWhere(target, where), orderBy)
    .innerJoin(join, `${join}.${through.relatedKey}`, `${target.tableName}.id`)
    .select(`${join}.${foreignKey} as sluiceKey`)
    .where(`${join}.${foreignKey}`, 'in', keys)
  const alive = tableOf(through.model).softDelete ? query.where(`${join}.deletedAt`, 'is', null) : query
  const rows = await rowsOf(target, alive)
  return rows.map(({ sluiceKey, ...row }) => [String(sluiceKey), toRecord(target, row) as AnyRecord])
}

const countRelated = async (model: QueriedModel, records: readonly AnyRecord[], name: string): Promise<void> => {
  const { target, localKey, foreignKey, through } = pathOf(model, name)
  const owner = through?.model ?? target
  const counts = new Map<string, number>()
  for (const keys of batchKeys(records, localKey)) {
    const column = `${owner.tableName}.${foreignKey}`
    const query = queryWhere(owner)
      .clearSelect()
      .select([`${column} as sluiceKey`, (builder) => builder.fn.countAll<number | string>().as('total')])
      .where(column, 'in', keys)
      .groupBy(column)
    const alive =
      through && tableOf(target).softDelete
        ? query.where(`${owner.tableName}.${through.relatedKey}`, 'in', queryColumn(target, 'id'))
        : query
    for (const row of await withHttpErrors(tableOf(owner), alive.execute())) {
      counts.set(String(row.sluiceKey), Number(row.total))
    }
  }
  for (const record of records) record[`${name}Count`] = counts.get(String(record[localKey])) ?? 0
}
