// biome-ignore-all lint/complexity/noThisInStatic: `this` is the class that extends Model, not Model

import { HttpError } from '../http-error.ts'
import { assignRow, type ModelClass, toRecord } from '../internal/database/model/record.ts'
import { answering } from '../internal/database/model/refused.ts'
import { tableOf } from '../internal/database/model/table.ts'
import { deleteRow, insertRow, type RowKey, updateRow } from '../internal/database/model/write.ts'
import {
  Finder,
  type FindManyOptions,
  type FindOneOptions,
  type Loaded,
  type ModelQuery,
  type NoRelations,
  type Related,
  type Row,
  type WithOptions,
} from './find.ts'

export type { ColumnKind, Columns } from '../internal/database/model/columns.ts'
export type { ModelClass } from '../internal/database/model/record.ts'

/**
 * What `create` and `update` take: the declared columns of the model, not its id and timestamps. `undefined` is left
 * out.
 */
export type Values<T> = {
  readonly [K in Exclude<keyof Row<T>, 'id' | 'createdAt' | 'updatedAt' | 'deletedAt'>]?: Row<T>[K] | undefined
}

/**
 * A record of a table, and by its static side the table itself: a thin layer on Kysely.
 *
 * The class says `tableName`, and if need be `columns`, `timestamps` and `softDelete`; fields are declared with `!`,
 * for the compiler alone. `create` and `update` take the names in `columns` and pass over everything else.
 *
 * @example
 * class Post extends Model {
 *   static tableName = 'posts'
 *   static timestamps = true
 *   static columns = { title: 'string', published: 'boolean' } as const
 *   id!: number
 *   title!: string
 *   published!: boolean
 *   createdAt!: Date
 *   updatedAt!: Date
 * }
 * const post = await Post.create({ title: 'Hello' })
 * await post.update({ published: true })
 */
export abstract class Model {
  /** All records that match `where`, ordered, from `offset` on, at most `limit`; `with` loads what they refer to. */
  static findMany<T extends Model, R = NoRelations, const W extends keyof R & string = never>(
    this: Related<T, R>,
    options?: FindManyOptions<T, W>,
  ): Promise<Loaded<T, R, W>[]> {
    return new Finder(this, 'without').findMany<W>(options)
  }

  /** The record of that id, or undefined; also when the id can be none, such as the path parameter `abc`. */
  static findById<T extends Model, R = NoRelations, const W extends keyof R & string = never>(
    this: Related<T, R>,
    id: number | string | bigint,
    options?: WithOptions<W>,
  ): Promise<Loaded<T, R, W> | undefined> {
    return new Finder(this, 'without').findById<W>(id, options)
  }

  /** The first record that matches, or undefined. */
  static findOne<T extends Model, R = NoRelations, const W extends keyof R & string = never>(
    this: Related<T, R>,
    options?: FindOneOptions<T, W>,
  ): Promise<Loaded<T, R, W> | undefined> {
    return new Finder(this, 'without').findOne<W>(options)
  }

  /** How many records match. */
  static count<T extends Model>(this: ModelClass<T>, options?: Pick<FindOneOptions<T>, 'where'>): Promise<number> {
    return new Finder(this, 'without').count(options)
  }

  /** The Kysely builder over this table, for everything else. Deleted records are left out. */
  static query<T extends Model>(this: ModelClass<T>): ModelQuery<T> {
    return new Finder(this, 'without').query()
  }

  /** The same finders, over deleted records too. */
  static withTrashed<T extends Model, R = NoRelations>(this: Related<T, R>): Finder<T, R> {
    return new Finder(this, 'with')
  }

  /** The same finders, over deleted records alone. */
  static onlyTrashed<T extends Model, R = NoRelations>(this: Related<T, R>): Finder<T, R> {
    return new Finder(this, 'only')
  }

  /**
   * Insert a record and return it as the database has it.
   *
   * @throws {HttpError} 422 if a value does not fit its column, 409 if it must be unique and is not.
   */
  static async create<T extends Model>(this: ModelClass<T>, values: Values<T>): Promise<T> {
    const now = timeOf(this)
    const { timestamps } = tableOf(this)
    const own = timestamps ? { createdAt: now, updatedAt: now } : {}
    return toRecord(this, await answering(HttpError, () => insertRow(this, values, own)))
  }

  /**
   * Write the declared columns among the values, and set `updatedAt`.
   *
   * With `static version = true` the row must have the version that this record was read with, or the `version` among
   * the values, which is the one that a client has seen.
   *
   * @throws {HttpError} 404 if the record is gone, 422 and 409 as for `create`, 409 if it was changed meanwhile.
   */
  async update(values: Values<this>): Promise<this> {
    const model = modelOf(this)
    const { timestamps } = tableOf(model)
    const own = timestamps ? { updatedAt: timeOf(model) } : {}
    return assignRow(this, await answering(HttpError, () => updateRow(model, keyOf(this), values, own)))
  }

  /** Remove the record: with `softDelete` by setting `deletedAt`, else for good. */
  async delete(): Promise<void> {
    const model = modelOf(this)
    if (!tableOf(model).softDelete) return this.forceDelete()
    const own = { deletedAt: timeOf(model) }
    assignRow(this, await answering(HttpError, () => updateRow(model, keyOf(this), {}, own)))
  }

  /**
   * Bring a record back that was softly deleted.
   *
   * @throws {TypeError} if the model has no soft delete.
   */
  async restore(): Promise<this> {
    const model = modelOf(this)
    if (!tableOf(model).softDelete) throw new TypeError(`${model.name} has no softDelete`)
    return assignRow(this, await answering(HttpError, () => updateRow(model, keyOf(this), {}, { deletedAt: null })))
  }

  /** Remove the record for good. */
  async forceDelete(): Promise<void> {
    await answering(HttpError, () => deleteRow(modelOf(this), keyOf(this)))
  }

  /** The fields that have a value, for `JSON.stringify`. */
  toJSON(): Record<string, unknown> {
    return Object.fromEntries(Object.entries(this).filter(([, value]) => value !== undefined))
  }
}

const timeOf = (model: ModelClass): Date => model.now?.() ?? new Date()

const modelOf = (record: Model): ModelClass => record.constructor as unknown as ModelClass

const keyOf = (record: Model & Partial<RowKey>): RowKey => {
  const { id, version } = record
  if (id === undefined) throw new TypeError(`${record.constructor.name} has no id: it was neither created nor found`)
  return { id, version }
}
