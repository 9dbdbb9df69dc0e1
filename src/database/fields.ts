import type { ColumnSpec, RelationSpec, Rule, Visibility } from '../internal/database/define/field.ts'
import type { ColumnType } from '../internal/database/model/limit.ts'
import type * as z from '../z.ts'

/** Whether `create` needs a value. */
export type Need = 'required' | 'optional'

// any: any schema of `z`
type AnySchema = z.ZodType<any, any>

/** The schemas of each rule: of what a client sends, and of the response. */
export interface ColumnRules {
  readonly string: [z.StringSchema, z.StringSchema]
  readonly number: [z.NumberSchema, z.NumberSchema]
  readonly boolean: [z.Schema<boolean>, z.Schema<boolean>]
  readonly date: [z.Schema<Date, string>, z.StringSchema]
}

/** The schema of what a client sends. */
export type InputRule<R> = R extends keyof ColumnRules ? ColumnRules[R][0] : R extends AnySchema ? R : never

/** The schema of the response. */
export type OutputRule<R> = R extends keyof ColumnRules ? ColumnRules[R][1] : R extends AnySchema ? R : never

/** A column of `Model.define`: value `T`, need `N` and visibility `S`. `R` is its rule, or its schema. */
export class Column<T, N extends Need = 'required', S extends Visibility = 'open', R = unknown> {
  /** Only for the compiler. */
  declare readonly '~type': { readonly value: T; readonly need: N; readonly visibility: S; readonly rule: R }
  readonly is = 'column'
  readonly spec: ColumnSpec

  constructor(spec: ColumnSpec) {
    this.spec = spec
  }

  /** May be null, and `create` does not need it. */
  nullable(): Column<T | null, 'optional', S, R> {
    return this.#with({ nullable: true })
  }

  /** The value that a new record gets if `create` receives none. */
  default(value: T): Column<T, 'optional', S, R> {
    return this.#with({ fallback: value })
  }

  /** No two records have the same value. The migration makes the index. */
  unique(): this {
    return this.#with({ unique: true })
  }

  /** Clients see it and cannot set it: a slug, a price that the server computes. */
  readonly(): Column<T, N, 'readonly', R> {
    return this.#with({ visibility: 'readonly' })
  }

  /** Clients neither see nor set it, and `toJSON` leaves it out: the hash of a password. */
  hidden(): Column<T, N, 'hidden', R> {
    return this.#with({ visibility: 'hidden' })
  }

  /** More rules for what a client sends: `t.string().rules((schema) => schema.regex(/^\w+$/))`. */
  rules<Own extends AnySchema>(refine: (schema: InputRule<R>) => Own): Column<T, N, S, Own> {
    return this.#with({ refine })
  }

  #with<C>(more: Partial<ColumnSpec>): C {
    return new Column({ ...this.spec, ...more }) as C
  }
}

/**
 * An arrow such as `() => User`. The constraint must not have a call signature: with one, the compiler checks the body
 * of each arrow while it resolves a class, follows the relations of all models, and overflows its stack.
 */
export type Lazy = object

/** The model that an arrow names. */
export type LazyTarget<F> = F extends () => infer T ? T : never

/** A relation of `Model.define`. */
export class FieldRelation<
  K extends 'belongsTo' | 'hasMany' | 'hasOne' | 'manyToMany',
  F extends Lazy,
  N extends Need = 'optional',
  S extends Visibility = 'open',
> {
  /** Only for the compiler. */
  declare readonly '~relation': { readonly need: N; readonly visibility: S }
  readonly is: K
  readonly model: F
  readonly spec: RelationSpec

  constructor(is: K, model: F, spec: RelationSpec = {}) {
    this.is = is
    this.model = model
    this.spec = spec
  }
}

/** This model has the id of another record: the field `author` makes the column `authorId`. */
export class BelongsTo<
  F extends Lazy,
  N extends Need = 'required',
  S extends Visibility = 'open',
> extends FieldRelation<'belongsTo', F, N, S> {
  /** May be null, and `create` does not need it. */
  nullable(): BelongsTo<F, 'optional', S> {
    return this.#with({ nullable: true })
  }

  /** Clients see it and cannot set it: the author of an article. */
  readonly(): BelongsTo<F, N, 'readonly'> {
    return this.#with({ visibility: 'readonly' })
  }

  /** No two records belong to the same one. */
  unique(): this {
    return this.#with({ unique: true })
  }

  #with<C>(more: RelationSpec): C {
    return new BelongsTo('belongsTo', this.model, { ...this.spec, ...more }) as C
  }
}

type Plain<T, R> = Column<T, 'required', 'open', R>

const column = <C>(type: ColumnType, rule: Rule, ...args: readonly unknown[]): C =>
  new Column({ type, rule, args }) as C

/**
 * The fields of {@link Model.define}: each column type, and each kind of relation.
 *
 * @example
 * class Tag extends Model.define('tags', { name: t.string(60).unique() }) {}
 */
export const t = {
  /** Text of at most `length` characters. @default 255 */
  string: (length: number = 255): Plain<string, 'string'> => column(`string(${length})`, 'string', length),
  /** Text of any length, on MySQL of 65,535 bytes; clients may send 10,000 characters. */
  text: (): Plain<string, 'string'> => column('string', 'text'),
  /** An address, stored in lower case. */
  email: (): Plain<string, 'string'> => column('email(255)', 'email'),
  url: (): Plain<string, 'string'> => column('string(1000)', 'url'),
  uuid: (): Plain<string, 'string'> => column('string(36)', 'uuid'),
  /** A whole number of 32 bits. */
  integer: (): Plain<number, 'number'> => column('integer', 'integer'),
  number: (): Plain<number, 'number'> => column('number', 'number'),
  /** A number of `digits` digits, `places` of them after the decimal point. @default 10, 2 */
  decimal: (digits: number = 10, places: number = 2): Plain<number, 'number'> =>
    column(`decimal(${digits}, ${places})`, 'decimal', digits, places),
  boolean: (): Plain<boolean, 'boolean'> => column('boolean', 'boolean'),
  date: (): Plain<Date, 'date'> => column('date', 'date'),
  /** One of these strings. */
  enum: <const V extends readonly [string, ...string[]]>(values: V): Plain<V[number], z.EnumSchema<[...V]>> =>
    column('string(255)', 'enum', values),
  /** Any JSON that the schema accepts from clients. */
  json: <S extends AnySchema>(schema: S): Plain<z.output<S>, S> => column('json', 'json', schema),
  belongsTo: <F extends Lazy>(model: F): BelongsTo<F> => new BelongsTo('belongsTo', model),
  /** Other records have the id of this one, by their `belongsTo`; name it if they have several. */
  hasMany: <F extends Lazy>(model: F, by?: string): FieldRelation<'hasMany', F> =>
    new FieldRelation('hasMany', model, by === undefined ? {} : { by }),
  hasOne: <F extends Lazy>(model: F, by?: string): FieldRelation<'hasOne', F> =>
    new FieldRelation('hasOne', model, by === undefined ? {} : { by }),
  /** Records of a third model have both ids, by two `belongsTo`; name them if it has several. */
  manyToMany: <F extends Lazy>(
    model: F,
    through: Lazy,
    names: { readonly by?: string; readonly to?: string } = {},
  ): FieldRelation<'manyToMany', F> => new FieldRelation('manyToMany', model, { through, ...names }),
} as const

/** The type of {@link t}. */
export type FieldTypes = typeof t
