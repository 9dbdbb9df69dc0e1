import type { SelectQueryBuilder } from 'kysely'
import { HttpError } from '../http-error.ts'
import { toId } from '../internal/database/model/id.ts'
import { type ModelClass, type ModelRecord, toRecord } from '../internal/database/model/record.ts'
import { answering } from '../internal/database/model/refused.ts'
import { loadRelations, type Relation } from '../internal/database/model/relation.ts'
import { baseQuery, countRows, type Search, selectRows, type Trashed } from '../internal/database/model/select.ts'
import { checkNames } from '../internal/options.ts'
import type { Condition, Scalar } from './where.ts'

/** The data of a record: its fields without its methods, and without the records that it refers to. */
export type Row<T> = { [K in keyof T as NonNullable<T[K]> extends NoColumn ? never : K]: T[K] }

// Methods with any signature are left out
type NoColumn = ((...values: never[]) => unknown) | ModelRecord | readonly ModelRecord[]

/**
 * A value that the column must equal, or a condition such as `isNull` or `isIn([1, 2])`. Null and lists need a
 * condition, so that a client that sends them instead of a value matches nothing else.
 */
export type Where<T> = {
  readonly [K in keyof Row<T>]?: Extract<Row<T>[K], Scalar> | Condition<Extract<Row<T>[K], Scalar>>
}

/** Options of `findById`. */
export interface WithOptions<W extends string = never> {
  /** Names of the relations to load, each by one query. @default none */
  readonly with?: readonly W[]
}

/** Options of `findOne`. */
export interface FindOneOptions<T, W extends string = never> extends WithOptions<W> {
  /** Columns and the value or condition that each must match. @default every record */
  readonly where?: Where<T>
  /** Columns with their direction, the most significant first. @default { id: 'asc' } */
  readonly orderBy?: { readonly [K in keyof Row<T>]?: 'asc' | 'desc' }
}

/** Options of `findMany`. */
export interface FindManyOptions<T, W extends string = never> extends FindOneOptions<T, W> {
  /** Maximum number of records. @default all */
  readonly limit?: number
  /** Number of records to skip. @default 0 */
  readonly offset?: number
}

/** A record with these relations loaded. */
export type Loaded<T, R, W extends string> = [W] extends [never]
  ? T
  : T & { [K in W]: K extends keyof R ? (R[K] extends Relation<infer V> ? V : never) : never }

/** The Kysely builder over the rows of one model. */
export type ModelQuery<T> = SelectQueryBuilder<Record<string, Row<T>>, string, Row<T>>

/** The relations of a model that declares none. */
export type NoRelations = Readonly<Record<never, never>>

/** A model with the relations that the compiler knows. */
export type Related<T extends object, R> = ModelClass<T> & { readonly relations?: R }

/**
 * The finders of a model, on `User` itself, `User.withTrashed()` and `User.onlyTrashed()`.
 *
 * @example
 * const gone = await User.onlyTrashed().findMany({ orderBy: { deletedAt: 'desc' } })
 */
export class Finder<T extends ModelRecord, R = NoRelations> {
  readonly #model: Related<T, R>
  readonly #trashed: Trashed

  constructor(model: Related<T, R>, trashed: Trashed) {
    this.#model = model
    this.#trashed = trashed
  }

  /** All records that match, in the given order. */
  findMany<const W extends keyof R & string = never>(options: FindManyOptions<T, W> = {}): Promise<Loaded<T, R, W>[]> {
    return this.#find('findMany', 'where orderBy limit offset with', options, options)
  }

  /** The first record that matches, or undefined. */
  async findOne<const W extends keyof R & string = never>(
    options: FindOneOptions<T, W> = {},
  ): Promise<Loaded<T, R, W> | undefined> {
    const [record] = await this.#find<W>('findOne', 'where orderBy with', options, { ...options, limit: 1 })
    return record
  }

  /** The record with that id, or undefined; also undefined for an invalid id, such as the path parameter `abc`. */
  async findById<const W extends keyof R & string = never>(
    id: number | string | bigint,
    options: WithOptions<W> = {},
  ): Promise<Loaded<T, R, W> | undefined> {
    const key = toId(id)
    if (key === undefined) return undefined
    const [record] = await this.#find<W>('findById', 'with', options, { where: { id: key }, limit: 1 })
    return record
  }

  /** The number of records that match. */
  count(options: Pick<FindOneOptions<T>, 'where'> = {}): Promise<number> {
    return answering(HttpError, async () => {
      // Those of `findMany` may be passed for the total of a page
      checkNames(`${this.#model.name}.count`, options, 'where orderBy limit offset with')
      return countRows(this.#model, this.#trashed, options.where)
    })
  }

  /** The Kysely builder, for everything else. It selects the declared columns; its rows are plain objects. */
  query(): ModelQuery<T> {
    return baseQuery(this.#model, this.#trashed) as ModelQuery<T>
  }

  #find<W extends string>(
    method: string,
    known: string,
    options: WithOptions<W>,
    search: Search,
  ): Promise<Loaded<T, R, W>[]> {
    return answering(HttpError, async () => {
      // A condition without its `where` would match every record
      checkNames(`${this.#model.name}.${method}`, options, known)
      const rows = await selectRows(this.#model, this.#trashed, search)
      const records = rows.map((row) => toRecord(this.#model, row))
      await loadRelations(this.#model, this.#model.relations, records, options.with ?? [])
      // The names are now properties of each record.
      return records as Loaded<T, R, W>[]
    })
  }
}
