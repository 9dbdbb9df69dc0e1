import type { SelectQueryBuilder } from 'kysely'
import type { QueriedModel } from '../internal/database/define/field.ts'
import { type AnyRecord, load } from '../internal/database/define/load.ts'
import { page } from '../internal/database/define/pages.ts'
import { countWhere, within } from '../internal/database/define/search.ts'
import { toId } from '../internal/database/model/id.ts'
import type { ModelRecord } from '../internal/database/model/record.ts'
import { type AnyQuery, openQuery, type Trashed } from '../internal/database/model/select.ts'
import { refusal } from '../internal/error/refusal.ts'
import { checkNames } from '../internal/options/check.ts'
import type { Condition, Scalar } from './where.ts'

/** The data of a record: its fields without its methods. */
export type Row<T> = { [K in keyof T as T[K] extends (...values: never[]) => unknown ? never : K]: T[K] }

/**
 * A value that the column must equal, or a condition such as `isNull` or `isIn([1, 2])`. Null and lists need a
 * condition, so that a client that sends them instead of a value matches nothing else.
 */
export type Where<T> = {
  readonly [K in keyof Row<T>]?: Extract<Row<T>[K], Scalar> | Condition<Extract<Row<T>[K], Scalar>>
}

/** Options of `findOne`. */
export interface FindOneOptions<T> {
  /** Columns and the value or condition that each must match. @default every record */
  readonly where?: Where<T>
  /** Columns with their direction, the most significant first. @default { id: 'asc' } */
  readonly orderBy?: { readonly [K in keyof Row<T>]?: 'asc' | 'desc' }
}

/** Options of `findMany`. */
export interface FindManyOptions<T> extends FindOneOptions<T> {
  /** Maximum number of records. @default all */
  readonly limit?: number | undefined
  /** Number of records to skip. @default 0 */
  readonly offset?: number | undefined
}

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

type WideOptions = Parameters<typeof load>[1]

/** The finders of every model at run time. Their types are those of the model classes. */
export interface AnyFinder {
  readonly findMany: (options?: WideOptions) => Promise<AnyRecord[]>
  readonly findOne: (options?: WideOptions) => Promise<AnyRecord | undefined>
  readonly findById: (id: unknown, options?: WideOptions) => Promise<AnyRecord | undefined>
  readonly findOrFail: (id: unknown, options?: WideOptions) => Promise<AnyRecord>
  readonly findOneOrFail: (options?: WideOptions) => Promise<AnyRecord>
  readonly count: (options?: WideOptions) => Promise<number>
  readonly page: (options: WideOptions & { readonly page: number; readonly limit: number }) => ReturnType<typeof page>
  readonly query: () => AnyQuery
}

/** The finders of a model, with conditions that always hold. */
export const finderOf = (model: QueriedModel, trashed: Trashed = 'without', scope?: object): AnyFinder => {
  const whereOf = ({ where }: WideOptions): object | undefined => (scope ? within(where, scope) : where)
  const scoped = (search: WideOptions): WideOptions => ({ ...search, where: whereOf(search), trashed })
  const find = async (method: string, names: string, options: object, search: WideOptions): Promise<AnyRecord[]> => {
    // A misspelt `where` would match every record
    checkNames(`${model.name}.${method}`, options, names)
    return load(model, scoped(search))
  }
  const findById = async (id: unknown, options: WideOptions = {}): Promise<AnyRecord | undefined> => {
    const key = toId(id)
    if (key === undefined) return undefined
    const [record] = await find('findById', 'with count lock', options, { ...options, where: { id: key }, limit: 1 })
    return record
  }
  const findOne = async (options: WideOptions = {}): Promise<AnyRecord | undefined> => {
    const [record] = await find('findOne', 'where orderBy with count lock', options, { ...options, limit: 1 })
    return record
  }
  const found = (record: AnyRecord | undefined): AnyRecord => {
    if (record === undefined) throw refusal(404, `${model.name} not found`)
    return record
  }
  return {
    findMany: (options: WideOptions = {}) =>
      find('findMany', 'where orderBy limit offset with count lock', options, options),
    findOne,
    findById,
    findOrFail: (id: unknown, options?: WideOptions) => findById(id, options).then(found),
    findOneOrFail: (options?: WideOptions) => findOne(options).then(found),
    count: async (options: WideOptions = {}) => {
      // The options of `findMany` may be passed, for the total of a page
      checkNames(`${model.name}.count`, options, 'where orderBy limit offset with count lock')
      return countWhere(model, whereOf(options), trashed)
    },
    page: async (options: WideOptions & { readonly page: number; readonly limit: number }) => {
      checkNames(`${model.name}.page`, options, 'where orderBy with count page limit')
      return page(model, { ...scoped(options), page: options.page, limit: options.limit })
    },
    query: () => openQuery(model, trashed),
  }
}
