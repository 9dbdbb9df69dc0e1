import type { SelectQueryBuilder } from 'kysely'
import { type Database, useDatabase } from './connect.ts'
import { dialectOf } from './dialect.ts'
import type { Model } from './model.ts'
import { type ModelClass, toRecord } from './model-class.ts'
import { rowReader } from './row-reader.ts'
import { tableOf } from './table.ts'
import { toCondition, toId } from './where.ts'

/** The data of a record: its fields without its methods. */
// any: a method of any signature is left out, and only any matches all parameters
export type Row<T> = { [K in keyof T as T[K] extends (...values: any[]) => unknown ? never : K]: T[K] }

/** What a record is looked up by: a value, a list of which one must match, or null. */
export type Where<T> = { readonly [K in keyof Row<T>]?: Row<T>[K] | readonly Row<T>[K][] | null }

/** Options of `findOne`. */
export interface FindOneOptions<T> {
  /** Columns and the value, list of values or null that each must have. @default every record */
  readonly where?: Where<T>
  /** Columns and the direction of each, the most important first. @default { id: 'asc' } */
  readonly orderBy?: { readonly [K in keyof Row<T>]?: 'asc' | 'desc' }
}

/** Options of `findMany`. */
export interface FindManyOptions<T> extends FindOneOptions<T> {
  /** Most records that are returned. @default all */
  readonly limit?: number
  /** How many records are passed over first. @default 0 */
  readonly offset?: number
}

/** The Kysely builder over the rows of one model. */
export type ModelQuery<T> = SelectQueryBuilder<Record<string, Row<T>>, string, Row<T>>

/** Which records are seen: those that are not deleted, all, or only the deleted. */
export type Trashed = 'without' | 'with' | 'only'

/**
 * The reading half of a model: what `User` itself, `User.withTrashed()` and `User.onlyTrashed()` can do.
 *
 * @example
 * const gone = await User.onlyTrashed().findMany({ orderBy: { deletedAt: 'desc' } })
 */
export class Finder<T extends Model> {
  readonly #model: ModelClass<T>
  readonly #trashed: Trashed

  constructor(model: ModelClass<T>, trashed: Trashed) {
    this.#model = model
    this.#trashed = trashed
  }

  /** All records that match, in the order asked for. */
  async findMany(options: FindManyOptions<T> = {}): Promise<T[]> {
    const { limit, offset } = options
    assertCount('limit', limit)
    assertCount('offset', offset)
    const db = useDatabase()
    let query = this.#select(db, options)
    // MySQL and SQLite know no offset without a limit.
    if (limit !== undefined || offset !== undefined) query = query.limit(limit ?? Number.MAX_SAFE_INTEGER)
    if (offset !== undefined) query = query.offset(offset)
    return (await query.execute()).map((row) => toRecord(this.#model, row))
  }

  /** The first record that matches, or undefined. */
  async findOne(options: FindOneOptions<T> = {}): Promise<T | undefined> {
    return (await this.findMany({ ...options, limit: 1 }))[0]
  }

  /** The record of that id, or undefined; also when the id can be none, such as the path parameter `abc`. */
  async findById(id: number | string | bigint): Promise<T | undefined> {
    const key = toId(id)
    return key === undefined ? undefined : this.findOne({ where: { id: key } as unknown as Where<T> })
  }

  /** How many records match. */
  async count(options: Pick<FindOneOptions<T>, 'where'> = {}): Promise<number> {
    const db = useDatabase()
    const row = await this.#from(db, options.where)
      .clearSelect()
      .select((builder) => builder.fn.countAll<number | string>().as('total'))
      .executeTakeFirstOrThrow()
    return Number((row as { total: number | string }).total)
  }

  /** The Kysely builder, for everything else. It selects the declared columns; its rows are plain objects. */
  query(): ModelQuery<T> {
    return this.#from(useDatabase(), undefined) as unknown as ModelQuery<T>
  }

  #select(db: Database, { where, orderBy }: FindOneOptions<T>): AnyQuery {
    const { name, kinds, model } = tableOf(this.#model)
    const order = Object.entries((orderBy ?? { id: 'asc' }) as Record<string, unknown>)
    return order.reduce(
      (query, [column, direction]) => {
        if (!kinds.has(column)) throw new TypeError(`orderBy: ${model} has no column '${column}'`)
        if (direction !== 'asc' && direction !== 'desc') {
          throw new TypeError(`orderBy.${column}: expected 'asc' or 'desc', got ${String(direction)}`)
        }
        return query.orderBy(`${name}.${column}`, direction)
      },
      this.#from(db, where),
    )
  }

  #from(db: Database, where: object | undefined): AnyQuery {
    const table = tableOf(this.#model)
    const dialect = dialectOf(db)
    const query: AnyQuery = db
      .withPlugin(rowReader(table, dialect))
      .selectFrom(table.name)
      .select([...table.kinds.keys()].map((column) => `${table.name}.${column}`))
      .$if(where !== undefined, (all) => all.where((builder) => toCondition(table, where ?? {}, dialect, builder)))
    if (!table.softDelete || this.#trashed === 'with') return query
    return query.where(`${table.name}.deletedAt`, this.#trashed === 'only' ? 'is not' : 'is', null)
  }
}

// any: Kysely's own word for tables that are not known
type AnyQuery = SelectQueryBuilder<any, any, Record<string, unknown>>

const assertCount = (name: string, value: number | undefined): void => {
  if (value !== undefined && (!Number.isSafeInteger(value) || value < 0)) {
    throw new RangeError(`${name}: expected a whole number of at least 0, got ${value}`)
  }
}
