import { assignRow, type ModelClass, toRecord } from '../internal/database/model/record.ts'
import type { Trashed } from '../internal/database/model/select.ts'
import { tableOf } from '../internal/database/model/table.ts'
import { deleteRow, insertRow, type RowKey, timeOf, updateRow } from '../internal/database/model/write.ts'
import { defineModel } from './define.ts'
import type { ModelBase } from './defined.ts'
import {
  type Finder,
  type FindManyOptions,
  type FindOneOptions,
  finderOf,
  type ModelQuery,
  type NoOptions,
} from './find.ts'
import type { DefineOptions, Fields, Row } from './model-types.ts'

export type { ColumnKind } from '../internal/database/model/columns.ts'
export type { ColumnType } from '../internal/database/model/limit.ts'
export type { ModelClass } from '../internal/database/model/record.ts'
export type { Columns } from '../internal/database/model/table.ts'

/** What `create` and `update` take: the declared columns of the model. `undefined` is left out. */
export type Values<T> = {
  readonly [K in Exclude<keyof Row<T>, 'id' | 'createdAt' | 'updatedAt' | 'deletedAt'>]?: Row<T>[K] | undefined
}

/**
 * A record of a table; its static methods are for the table itself. A thin layer on Kysely.
 *
 * {@link Model.define} makes the class from its fields. A class that extends `Model` itself declares `tableName`, and
 * if needed `columns`, `timestamps`, `softDelete` and `version`; it has no relations. `create` and `update` write the
 * columns and ignore everything else.
 *
 * @example
 * class Post extends Model.define('posts', { title: t.string(80), published: t.boolean().default(false) }) {}
 * const post = await Post.create({ title: 'Hello' })
 * await post.update({ published: true })
 */
export abstract class Model {
  /**
   * Make a class to extend from the fields of a model. Its records have `id`, the columns, `<name>Id` of each
   * `belongsTo`, `createdAt` and `updatedAt`.
   *
   * @param tableName the table, in the database
   * @param fields columns and relations, made by `t`
   * @example
   * class Article extends Model.define('articles', {
   *   title: t.string(80),
   *   author: t.belongsTo(() => User),
   *   tags: t.manyToMany(() => Tag, () => ArticleTag),
   * }) {}
   * const article = await Article.create({ title: 'Hello', authorId: 1 })
   */
  static define<const N extends string, const F extends Fields, const O extends DefineOptions = {}>(
    tableName: N,
    fields: F,
    options?: O,
  ): ModelBase<F, O, N> {
    return defineModel(Model, tableName, fields, options ?? {})
  }

  /** All records that match `where`, ordered, from `offset` on, at most `limit`. */
  static findMany<T extends Model>(this: ModelClass<T>, options?: FindManyOptions<T>): Promise<T[]> {
    return typedFinderOf(this).findMany(options)
  }

  /** The record with that id, or undefined; also undefined for an invalid id, such as the path parameter `abc`. */
  static findById<T extends Model>(
    this: ModelClass<T>,
    id: number | string | bigint,
    options?: NoOptions,
  ): Promise<T | undefined> {
    return typedFinderOf(this).findById(id, options)
  }

  /** The first record that matches, or undefined. */
  static findOne<T extends Model>(this: ModelClass<T>, options?: FindOneOptions<T>): Promise<T | undefined> {
    return typedFinderOf(this).findOne(options)
  }

  /** The number of records that match. */
  static count<T extends Model>(this: ModelClass<T>, options?: Pick<FindOneOptions<T>, 'where'>): Promise<number> {
    return typedFinderOf(this).count(options)
  }

  /** The Kysely builder over this table, for everything else. Deleted records are left out. */
  static query<T extends Model>(this: ModelClass<T>): ModelQuery<T> {
    return typedFinderOf(this).query()
  }

  /** The same finders, including deleted records. */
  static withTrashed<T extends Model>(this: ModelClass<T>): Finder<T> {
    return typedFinderOf(this, 'with')
  }

  /** The same finders, for deleted records only. */
  static onlyTrashed<T extends Model>(this: ModelClass<T>): Finder<T> {
    return typedFinderOf(this, 'only')
  }

  /**
   * Insert a record and return it as it is in the database.
   *
   * @throws {HttpError} 422 if a value is not valid for its column, 409 if a unique value already exists.
   */
  static async create<T extends Model>(this: ModelClass<T>, values: Values<T>): Promise<T> {
    return toRecord(this, await insertRow(this, values))
  }

  /**
   * Write the declared columns among the values, and set `updatedAt`.
   *
   * With `static version = true` the row must have the version that this record was read with, or the `version` in the
   * values, which is the one that a client has seen.
   *
   * @throws {HttpError} 404 if the record no longer exists, 422 and 409 as for `create`, 409 if it was changed in the
   * meantime.
   */
  async update(values: Values<this>): Promise<this> {
    return assignRow(this, await updateRow(modelOf(this), keyOf(this), values))
  }

  /** Remove the record: with `softDelete` by setting `deletedAt`, else permanently. */
  async delete(): Promise<void> {
    const model = modelOf(this)
    if (!tableOf(model).softDelete) return this.forceDelete()
    assignRow(this, await updateRow(model, keyOf(this), {}, timeOf(model)))
  }

  /** Restore a soft-deleted record. @throws {TypeError} if the model has no soft delete */
  async restore(): Promise<this> {
    const model = modelOf(this)
    if (!tableOf(model).softDelete) throw new TypeError(`${model.name} has no softDelete`)
    return assignRow(this, await updateRow(model, keyOf(this), {}, null))
  }

  /** Remove the record permanently. */
  async forceDelete(): Promise<void> {
    await deleteRow(modelOf(this), keyOf(this))
  }

  /** The fields that have a value, for `JSON.stringify`. */
  toJSON(): Record<string, unknown> {
    return Object.fromEntries(Object.entries(this).filter(([, value]) => value !== undefined))
  }
}

/** The finders with the types of the class, which the compiler cannot derive. */
const typedFinderOf = <T extends Model>(model: ModelClass<T>, trashed?: Trashed): Finder<T> =>
  finderOf(model, trashed) as never

const modelOf = (record: Model): ModelClass => record.constructor as ModelClass

const keyOf = (record: Model & Partial<RowKey>): RowKey => {
  const { id, version } = record
  if (id === undefined) throw new TypeError(`${record.constructor.name} has no id: it was neither created nor found`)
  return { id, version }
}
