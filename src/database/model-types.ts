import type { Simplify } from '../internal/types/simplify.ts'
import type { BelongsTo, Column, FieldRelation, LazyTarget, Need } from './fields.ts'
import type { Condition, Scalar } from './where.ts'

/** A parameter of a field that is read by `infer`, or does not matter. */
export type Anything = any // any: `unknown` would refuse what has a narrower one

export type AnyColumn = Column<Anything, Anything, Anything, Anything>
export type AnyBelongsTo = BelongsTo<Anything, Anything, Anything>
export type AnyRelation = FieldRelation<Anything, Anything, Anything, Anything>

/** The fields of a model by name. */
export type Fields = Readonly<Record<string, AnyColumn | AnyRelation>>

/** The options of `Model.define`, apart from the fields. */
export interface DefineOptions {
  /** `createdAt` and `updatedAt`. @default true */
  readonly timestamps?: boolean
  /** `delete` sets `deletedAt`. @default false */
  readonly softDelete?: boolean
  /** `version`, for optimistic locking. @default false */
  readonly version?: boolean
  /** Fields that together are unique: `[['article', 'tag']]`. @default none */
  readonly unique?: readonly (readonly string[])[]
}

export type Value<C> = C extends Column<infer T, Anything, Anything, Anything> ? T : never
export type Key<R> =
  R extends BelongsTo<Anything, infer N, Anything> ? (N extends 'optional' ? number | null : number) : never

/** The data of a record: id, columns, keys of `belongsTo`, timestamps. */
export type RecordOf<F, O> = Simplify<
  { readonly id: number } & { [K in keyof F as F[K] extends AnyColumn ? K : never]: Value<F[K]> } & {
    [K in keyof F as F[K] extends AnyBelongsTo ? `${K & string}Id` : never]: Key<F[K]>
  } & (O extends { timestamps: false } ? unknown : { createdAt: Date; updatedAt: Date }) &
    (O extends { softDelete: true } ? { deletedAt?: Date } : unknown) &
    (O extends { version: true } ? { version: number } : unknown)
>

/** The values of the columns and keys that `create` requires, or does not require. */
export type ValuesOf<F, N extends Need> = {
  readonly [K in keyof F as F[K] extends Column<Anything, N, Anything, Anything> ? K : never]: Value<F[K]>
} & {
  readonly [K in keyof F as F[K] extends BelongsTo<Anything, N, Anything> ? `${K & string}Id` : never]: Key<F[K]>
}

/** The values that `create` takes. Columns that have no default and cannot be null are required. */
export type NewOf<F> = Simplify<
  ValuesOf<F, 'required'> & { readonly [K in keyof ValuesOf<F, 'optional'>]?: ValuesOf<F, 'optional'>[K] | undefined }
>

/** The values that `update` takes, all optional. */
export type ChangesOf<F> = { readonly [K in keyof NewOf<F>]?: NewOf<F>[K] | undefined }

/** A class made by `Model.define`, with any fields. */
export interface AnyModel {
  /** The record of a model that is not known yet. */
  new (): Anything
  readonly tableName: string
  readonly fields: Anything
}

export type RelationKey<F> = { [K in keyof F]: F[K] extends AnyRelation ? K : never }[keyof F] & string

export type RelationName<M extends AnyModel> = RelationKey<M['fields']>

/** The model that a relation leads to. */
export type Target<F, K> = K extends keyof F
  ? F[K] extends FieldRelation<Anything, infer L, Anything, Anything>
    ? LazyTarget<L> extends infer T extends AnyModel
      ? T
      : never
    : never
  : never

/** `['author']`, or `{ author: true, comments: { with: ['author'], where, orderBy } }`. */
export type With<M extends AnyModel> =
  | readonly RelationName<M>[]
  | { readonly [K in RelationName<M>]?: true | RelationOptions<Target<M['fields'], K>> }

/** How related records are loaded. */
export interface RelationOptions<M extends AnyModel> {
  readonly with?: With<M>
  readonly where?: WhereOf<M>
  readonly orderBy?: Order<InstanceType<M>>
}

/** The data of a record: its fields without its methods. */
export type Row<T> = { [K in keyof T as T[K] extends (...values: never[]) => unknown ? never : K]: T[K] }

/**
 * A value that the column must equal, or a condition such as `isNull` or `isIn([1, 2])`. Null and lists need a
 * condition, so that a client that sends them instead of a value matches nothing else.
 */
export type Where<T> = {
  readonly [K in keyof Row<T>]?: Extract<Row<T>[K], Scalar> | Condition<Extract<Row<T>[K], Scalar>>
}

/** Conditions on columns, and on related records by the name of the relation. */
export type WhereOf<M extends AnyModel> = Where<InstanceType<M>> & {
  readonly [K in RelationName<M>]?: WhereOf<Target<M['fields'], K>>
}

/** Columns with their direction, the most significant first. */
export type Order<T> = { readonly [K in keyof Row<T>]?: 'asc' | 'desc' }

/** Which of the records that match. */
export interface Slice {
  /** Maximum number of records. @default all */
  readonly limit?: number | undefined
  /** Number of records to skip. @default 0 */
  readonly offset?: number | undefined
}

export type RelationNames<W> = W extends readonly (infer K extends string)[] ? K : keyof W & string
export type Inner<W, K> = W extends readonly unknown[] ? true : K extends keyof W ? W[K] : true
/** A record, a record or undefined, or a list. The target of a required key is missing if it was soft-deleted. */
export type LoadedValue<R, V> =
  R extends FieldRelation<'belongsTo', infer F, infer N, Anything>
    ? V | (N extends 'optional' ? undefined : LazyTarget<F> extends { readonly softDelete: true } ? undefined : never)
    : R extends FieldRelation<'hasOne', Anything, Anything, Anything>
      ? V | undefined
      : V[]
export type LoadedTarget<M extends AnyModel, W> = W extends { readonly with: infer I }
  ? LoadedRecord<M, I, never>
  : InstanceType<M>
export type LoadedRelations<M extends AnyModel, W> = {
  [K in RelationNames<W>]: LoadedValue<M['fields'][K], LoadedTarget<Target<M['fields'], K>, Inner<W, K>>>
}

/** A record with these relations and counts. Conditional, so that an editor shows its parts and not its name. */
export type LoadedRecord<M extends AnyModel, W, C extends string> = [RelationNames<W> | C] extends [never]
  ? InstanceType<M>
  : InstanceType<M> & Simplify<LoadedRelations<M, W> & { [K in C as `${K}Count`]: number }>

/** The tables of models for Kysely: `createDatabase<TablesOf<typeof models>>(url)`. */
export type TablesOf<Models extends Readonly<Record<string, AnyModel>>> = {
  [K in keyof Models as Models[K]['tableName']]: Row<InstanceType<Models[K]>>
}

/** A many-to-many relation of one record. */
export interface ManyToMany {
  /** The ids of the related records. */
  ids(): Promise<number[]>
  /** Add these. Records that are attached already stay attached. */
  attach(ids: readonly number[]): Promise<void>
  /** Remove these. `sync([])` removes all. */
  detach(ids: readonly number[]): Promise<void>
  /** Attach exactly these: add the missing ones and remove the others, in one transaction. */
  sync(ids: readonly number[]): Promise<void>
}

/** A page of records and its totals. */
export interface Page<T> {
  readonly data: T[]
  readonly meta: { readonly page: number; readonly limit: number; readonly total: number; readonly totalPages: number }
}
