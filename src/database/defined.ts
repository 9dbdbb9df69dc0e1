import type { ModelQuery } from './find.ts'
import type {
  AnyBelongsTo,
  AnyModel,
  ChangesOf,
  DefineOptions,
  Fields,
  LoadedRecord,
  ManyToMany,
  NewOf,
  Order,
  Page,
  RecordOf,
  RelationKey,
  RelationName,
  Slice,
  Target,
  WhereOf,
  With,
} from './model-types.ts'

/** Options of `findOne` of a defined model. */
export interface FindOne<M extends AnyModel, W, C extends string> {
  /** Conditions on columns and on related records. @default every record */
  readonly where?: WhereOf<M>
  /** Columns with their direction, the most significant first. @default { id: 'asc' } */
  readonly orderBy?: Order<InstanceType<M>>
  /** Relations to load: one statement each, however many records there are. @default none */
  readonly with?: W
  /** Relations to count, as `commentsCount`: one statement each. @default none */
  readonly count?: readonly C[]
  /** Lock the rows until the transaction ends; `'skip'` leaves out rows that are locked. No effect on SQLite. */
  readonly lock?: true | 'skip'
}

/** Options of `findMany` of a defined model. */
export interface FindMany<M extends AnyModel, W, C extends string> extends FindOne<M, W, C>, Slice {}

/** Records, and the cursor of the next ones; the cursor is null at the end. */
export interface CursorPage<T> {
  readonly data: T[]
  readonly meta: { readonly next: string | null }
}

/** The finders of a defined model, also of `withTrashed()` and `onlyTrashed()`. */
export interface DefinedFinder<M extends AnyModel> {
  findMany<const W extends With<M> = readonly [], const C extends RelationName<M> = never>(
    options?: FindMany<M, W, C>,
  ): Promise<LoadedRecord<M, W, C>[]>
  findOne<const W extends With<M> = readonly [], const C extends RelationName<M> = never>(
    options?: FindOne<M, W, C>,
  ): Promise<LoadedRecord<M, W, C> | undefined>
  count(options?: { readonly where?: WhereOf<M> }): Promise<number>
}

/** The class that `Model.define` returns, to be extended. */
export interface ModelBase<F extends Fields, O extends DefineOptions, N extends string> {
  new (): DefinedRecord<F> & RecordOf<F, O>
  readonly tableName: N
  readonly timestamps: boolean
  readonly softDelete: O['softDelete'] extends true ? true : false
  readonly version: boolean
  readonly fields: F

  findMany<M extends AnyModel, const W extends With<M> = readonly [], const C extends RelationName<M> = never>(
    this: M,
    options?: FindMany<M, W, C>,
  ): Promise<LoadedRecord<M, W, C>[]>
  findOne<M extends AnyModel, const W extends With<M> = readonly [], const C extends RelationName<M> = never>(
    this: M,
    options?: FindOne<M, W, C>,
  ): Promise<LoadedRecord<M, W, C> | undefined>
  /** The record with that id, or undefined; also undefined for an invalid id, such as the path parameter `abc`. */
  findById<M extends AnyModel, const W extends With<M> = readonly [], const C extends RelationName<M> = never>(
    this: M,
    id: number | string | bigint,
    options?: Pick<FindOne<M, W, C>, 'with' | 'count' | 'lock'>,
  ): Promise<LoadedRecord<M, W, C> | undefined>
  /** The record with that id. @throws {HttpError} 404, "Article not found" */
  findOrFail<M extends AnyModel, const W extends With<M> = readonly [], const C extends RelationName<M> = never>(
    this: M,
    id: number | string | bigint,
    options?: Pick<FindOne<M, W, C>, 'with' | 'count' | 'lock'>,
  ): Promise<LoadedRecord<M, W, C>>
  /** The first record that matches. @throws {HttpError} 404, "Article not found" */
  findOneOrFail<M extends AnyModel, const W extends With<M> = readonly [], const C extends RelationName<M> = never>(
    this: M,
    options?: FindOne<M, W, C>,
  ): Promise<LoadedRecord<M, W, C>>
  count<M extends AnyModel>(this: M, options?: { readonly where?: WhereOf<M> }): Promise<number>
  /** A page and its totals. @throws {HttpError} 400 if `page` or `limit` is not a whole number of at least 1 */
  page<M extends AnyModel, const W extends With<M> = readonly [], const C extends RelationName<M> = never>(
    this: M,
    options: Omit<FindOne<M, W, C>, 'lock'> & { readonly page: number; readonly limit: number },
  ): Promise<Page<LoadedRecord<M, W, C>>>
  /** The records after a cursor, without a gap when rows are added. @throws {HttpError} 400 for a foreign cursor */
  after<M extends AnyModel, const W extends With<M> = readonly [], const C extends RelationName<M> = never>(
    this: M,
    cursor: string | undefined,
    options: Omit<FindOne<M, W, C>, 'lock'> & { readonly limit: number },
  ): Promise<CursorPage<LoadedRecord<M, W, C>>>
  /** All records that match by id, in batches: constant memory, and no connection is kept. */
  stream<M extends AnyModel, const W extends With<M> = readonly []>(
    this: M,
    options?: { readonly where?: WhereOf<M>; readonly with?: W; readonly batch?: number },
  ): AsyncIterable<LoadedRecord<M, W, never>>
  withTrashed<M extends AnyModel>(this: M): DefinedFinder<M>
  onlyTrashed<M extends AnyModel>(this: M): DefinedFinder<M>
  /** The Kysely builder over this table, for everything else. */
  query<M extends AnyModel>(this: M): ModelQuery<RecordOf<M['fields'], O>>

  create<M extends AnyModel>(this: M, values: NewOf<M['fields']>): Promise<InstanceType<M>>
  /** Insert many records by few statements, all or none. @returns how many */
  createMany<M extends AnyModel>(this: M, values: readonly NewOf<M['fields']>[]): Promise<number>
  /** The record that has these unique values, or a new one; safe if two requests do it at once. */
  firstOrCreate<M extends AnyModel>(
    this: M,
    where: Partial<NewOf<M['fields']>>,
    values?: Partial<NewOf<M['fields']>>,
  ): Promise<InstanceType<M>>
  /** Insert, or update the record that has the same unique values in `by`. */
  upsert<M extends AnyModel>(
    this: M,
    values: NewOf<M['fields']>,
    options: {
      readonly by: readonly (keyof NewOf<M['fields']> & string)[]
      /** The values to write if the record exists. @default all values except the columns in `by` */
      readonly update?: ChangesOf<M['fields']>
    },
  ): Promise<InstanceType<M>>
  /** Change all records that match. `{}` is every record. @returns how many */
  updateWhere<M extends AnyModel>(this: M, where: WhereOf<M>, values: ChangesOf<M['fields']>): Promise<number>
  /** Delete all records that match. `{}` is every record. @returns how many */
  deleteWhere<M extends AnyModel>(this: M, where: WhereOf<M>): Promise<number>
}

/** The methods of a record of a defined model. */
export interface DefinedRecord<F> {
  update(values: ChangesOf<F> & { readonly version?: number | undefined }): Promise<this>
  delete(): Promise<void>
  restore(): Promise<this>
  forceDelete(): Promise<void>
  toJSON(): Record<string, unknown>
  /** The records of one relation: find and create those of `hasMany`, attach and detach those of `manyToMany`. */
  related<K extends RelationKey<F>>(name: K): RelatedOf<F, K>
}

type RelatedOf<F, K extends keyof F> = F[K] extends { readonly is: 'manyToMany' }
  ? ManyToMany
  : RelatedFinder<Target<F, K>>

/** The finders of the records that belong to one record. They never find the records of another one. */
export interface RelatedFinder<M extends AnyModel> extends DefinedFinder<M> {
  findOrFail<const W extends With<M> = readonly [], const C extends RelationName<M> = never>(
    id: number | string | bigint,
    options?: Pick<FindOne<M, W, C>, 'with' | 'count' | 'lock'>,
  ): Promise<LoadedRecord<M, W, C>>
  findOneOrFail<const W extends With<M> = readonly [], const C extends RelationName<M> = never>(
    options?: FindOne<M, W, C>,
  ): Promise<LoadedRecord<M, W, C>>
  page<const W extends With<M> = readonly [], const C extends RelationName<M> = never>(
    options: Omit<FindOne<M, W, C>, 'lock'> & { readonly page: number; readonly limit: number },
  ): Promise<Page<LoadedRecord<M, W, C>>>
  /** A new record that belongs to this one. */
  create(values: ChildValues<M['fields']>): Promise<InstanceType<M>>
}

type ForeignKey<F> = { [K in keyof F]: F[K] extends AnyBelongsTo ? `${K & string}Id` : never }[keyof F]
type ChildValues<F> = Omit<NewOf<F>, ForeignKey<F>> & Partial<Pick<NewOf<F>, ForeignKey<F> & keyof NewOf<F>>>
