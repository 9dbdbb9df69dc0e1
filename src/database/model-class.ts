import type { Model } from './model.ts'
import type { TableSource } from './table.ts'

/** A class that extends {@link Model} and says which table it is. */
export interface ModelClass<T extends Model = Model> extends TableSource {
  new (): T
  /** The time that `createdAt`, `updatedAt` and `deletedAt` are set to. @default () => new Date() */
  readonly now?: () => Date
}

/** A row as a record. The class is made first, since its field declarations may set own properties to undefined. */
export const toRecord = <T extends Model>(model: ModelClass<T>, row: Readonly<Record<string, unknown>>): T =>
  Object.assign(new model(), row)
