// biome-ignore-all lint/complexity/noThisInStatic: `this` is the class that extends Model, not Model
import { Finder, type FindManyOptions, type FindOneOptions, type ModelQuery, type Row } from './find.ts'
import { assignRow, type ModelClass, toRecord } from './model-class.ts'
import { tableOf } from './table.ts'
import { deleteRow, insertRow, updateRow } from './write.ts'

/** What `create` and `update` take: the declared columns of the model, not its id and timestamps. `undefined` is left out. */
export type Values<T> = {
  readonly [K in Exclude<keyof Row<T>, 'id' | 'createdAt' | 'updatedAt' | 'deletedAt'>]?: Row<T>[K] | undefined
}

/**
 * A record of a table, and by its static side the table itself: a thin layer on Kysely.
 *
 * The class says `tableName`, and if need be `columns`, `timestamps` and `softDelete`; fields are declared with `!`, for
 * the compiler alone. `create` and `update` take the names in `columns` and pass over everything else.
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
  /** All records that match `where`, ordered, from `offset` on, at most `limit`. */
  static findMany<T extends Model>(this: ModelClass<T>, options?: FindManyOptions<T>): Promise<T[]> {
    return new Finder(this, 'without').findMany(options)
  }

  /** The record of that id, or undefined; also when the id can be none, such as the path parameter `abc`. */
  static findById<T extends Model>(this: ModelClass<T>, id: number | string | bigint): Promise<T | undefined> {
    return new Finder(this, 'without').findById(id)
  }

  /** The first record that matches, or undefined. */
  static findOne<T extends Model>(this: ModelClass<T>, options?: FindOneOptions<T>): Promise<T | undefined> {
    return new Finder(this, 'without').findOne(options)
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
  static withTrashed<T extends Model>(this: ModelClass<T>): Finder<T> {
    return new Finder(this, 'with')
  }

  /** The same finders, over deleted records alone. */
  static onlyTrashed<T extends Model>(this: ModelClass<T>): Finder<T> {
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
    return toRecord(this, await insertRow(this, values, timestamps ? { createdAt: now, updatedAt: now } : {}))
  }

  /**
   * Write the declared columns among the values, and set `updatedAt`.
   *
   * @throws {HttpError} 404 if the record is gone, 422 and 409 as for `create`.
   */
  async update(values: Values<this>): Promise<this> {
    const model = modelOf(this)
    const { timestamps } = tableOf(model)
    return assignRow(this, await updateRow(model, idOf(this), values, timestamps ? { updatedAt: timeOf(model) } : {}))
  }

  /** Remove the record: with `softDelete` by setting `deletedAt`, else for good. */
  async delete(): Promise<void> {
    const model = modelOf(this)
    if (!tableOf(model).softDelete) return this.forceDelete()
    assignRow(this, await updateRow(model, idOf(this), {}, { deletedAt: timeOf(model) }))
  }

  /**
   * Bring a record back that was softly deleted.
   *
   * @throws {TypeError} if the model has no soft delete.
   */
  async restore(): Promise<this> {
    const model = modelOf(this)
    if (!tableOf(model).softDelete) throw new TypeError(`${model.name} has no softDelete`)
    return assignRow(this, await updateRow(model, idOf(this), {}, { deletedAt: null }))
  }

  /** Remove the record for good. */
  async forceDelete(): Promise<void> {
    await deleteRow(modelOf(this), idOf(this))
  }

  /** The fields that have a value, for `JSON.stringify`. */
  toJSON(): Record<string, unknown> {
    return Object.fromEntries(Object.entries(this).filter(([, value]) => value !== undefined))
  }
}

const timeOf = (model: ModelClass): Date => model.now?.() ?? new Date()

const modelOf = (record: Model): ModelClass => record.constructor as unknown as ModelClass

const idOf = (record: Model): unknown => {
  const { id } = record as { id?: unknown }
  if (id === undefined) throw new TypeError(`${record.constructor.name} has no id: it was neither created nor found`)
  return id
}
