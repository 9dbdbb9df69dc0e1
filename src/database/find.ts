import type { SelectQueryBuilder } from 'kysely'
import type { QueriedModel } from '../internal/database/define/field.ts'
import { type AnyRecord, loadRecords } from '../internal/database/define/load.ts'
import { loadPage } from '../internal/database/define/pages.ts'
import { andWhere, countWhere } from '../internal/database/define/search.ts'
import { toId } from '../internal/database/model/id.ts'
import type { ModelRecord } from '../internal/database/model/record.ts'
import { type AnyQuery, publicQuery, type Trashed } from '../internal/database/model/select.ts'
import { refusal } from '../internal/error/refusal.ts'
import { checkNames } from '../internal/options/check.ts'
import type { Order, Row, Slice, Where } from './model-types.ts'

/** Options of `findOne`. */
export interface FindOneOptions<T> {
  /** Columns and the value or condition that each must match. @default every record */
  readonly where?: Where<T>
  /** Columns with their direction, the most significant first. @default { id: 'asc' } */
  readonly orderBy?: Order<T>
}

/** Options of `findMany`. */
export interface FindManyOptions<T> extends FindOneOptions<T>, Slice {}

/** A plain class has no options of `findById`; any option is refused. */
export type NoOptions = Readonly<Record<string, never>>

/** The Kysely builder over the rows of one model. */
export type ModelQuery<T> = SelectQueryBuilder<Record<string, Row<T>>, string, Row<T>>

/**
 * The finders of a model, on `User` itself, `User.withTrashed()` and `User.onlyTrashed()`.
 *
 * @example
 * const gone = await User.onlyTrashed().findMany({ orderBy: { deletedAt: 'desc' } })
 */
export interface Finder<T extends ModelRecord> {
  /** All records that match, in the given order. */
  findMany(options?: FindManyOptions<T>): Promise<T[]>
  /** The first record that matches, or undefined. */
  findOne(options?: FindOneOptions<T>): Promise<T | undefined>
  /** The record with that id, or undefined; also undefined for an invalid id, such as the path parameter `abc`. */
  findById(id: number | string | bigint, options?: NoOptions): Promise<T | undefined>
  /** The number of records that match. */
  count(options?: Pick<FindOneOptions<T>, 'where'>): Promise<number>
  /** The Kysely builder, for everything else. It selects the declared columns; its rows are plain objects. */
  query(): ModelQuery<T>
}

type SearchOptions = Parameters<typeof loadRecords>[1]

/** The finders of every model at run time. Their types are those of the model classes. */
export interface AnyFinder {
  readonly findMany: (options?: SearchOptions) => Promise<AnyRecord[]>
  readonly findOne: (options?: SearchOptions) => Promise<AnyRecord | undefined>
  readonly findById: (id: unknown, options?: SearchOptions) => Promise<AnyRecord | undefined>
  readonly findOrFail: (id: unknown, options?: SearchOptions) => Promise<AnyRecord>
  readonly findOneOrFail: (options?: SearchOptions) => Promise<AnyRecord>
  readonly count: (options?: SearchOptions) => Promise<number>
  readonly page: (options: Parameters<typeof loadPage>[1]) => ReturnType<typeof loadPage>
  readonly query: () => AnyQuery
}

/** The finders of a model, with conditions that always hold. */
export const finderOf = (model: QueriedModel, trashed: Trashed = 'without', scope?: object): AnyFinder => {
  const whereOf = ({ where }: SearchOptions): object | undefined => (scope ? andWhere(where, scope) : where)
  const scoped = (search: SearchOptions): SearchOptions => ({ ...search, where: whereOf(search), trashed })
  const find = async (method: string, names: string, options: object, search: SearchOptions): Promise<AnyRecord[]> => {
    // A misspelt `where` would match every record
    checkNames(`${model.name}.${method}`, options, names)
    return loadRecords(model, scoped(search))
  }
  const findById = async (id: unknown, options: SearchOptions = {}): Promise<AnyRecord | undefined> => {
    const key = toId(id)
    if (key === undefined) return undefined
    const [record] = await find('findById', 'with count lock', options, { ...options, where: { id: key }, limit: 1 })
    return record
  }
  const findOne = async (options: SearchOptions = {}): Promise<AnyRecord | undefined> => {
    const [record] = await find('findOne', 'where orderBy with count lock', options, { ...options, limit: 1 })
    return record
  }
  const assertFound = (record: AnyRecord | undefined): AnyRecord => {
    if (record === undefined) throw refusal(404, `${model.name} not found`)
    return record
  }
  return {
    findMany: (options = {}) => find('findMany', 'where orderBy limit offset with count lock', options, options),
    findOne,
    findById,
    findOrFail: (id, options) => findById(id, options).then(assertFound),
    findOneOrFail: (options) => findOne(options).then(assertFound),
    count: async (options = {}) => {
      // The options of `findMany` may be passed, for the total of a page
      checkNames(`${model.name}.count`, options, 'where orderBy limit offset with count lock')
      return countWhere(model, whereOf(options), trashed)
    },
    page: async (options) => {
      checkNames(`${model.name}.page`, options, 'where orderBy with count page limit')
      return loadPage(model, { ...scoped(options), page: options.page, limit: options.limit })
    },
    query: () => publicQuery(model, trashed),
  }
}
