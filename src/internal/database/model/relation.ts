import type { ModelClass } from './record.ts'

/** How one model refers to another; made by `belongsTo`, `hasOne` and `hasMany`. */
export class Relation<out V> {
  /** Only for the compiler: the type of the property once the relation is loaded. */
  declare readonly '~loaded'?: V
  readonly kind: 'belongsTo' | 'hasOne' | 'hasMany'
  /** A function, so that two models that refer to each other may be declared in any order. */
  readonly model: () => ModelClass
  /** The column that holds the id: of this model for `belongsTo`, else of the other one. */
  readonly column: string

  constructor(kind: Relation<V>['kind'], model: () => ModelClass, column: string) {
    this.kind = kind
    this.model = model
    this.column = column
  }
}

/** Relations by their name. */
export type Relations = Readonly<Record<string, Relation<unknown>>>
