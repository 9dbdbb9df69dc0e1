import type { TableSource } from './table.ts'

/** Recognises records of models by a method of `Model`. */
export interface ModelRecord {
  forceDelete(): Promise<void>
}

/** A class that extends `Model` and has a table name. */
export interface ModelClass<T extends object = object> extends TableSource {
  new (): T
  readonly prototype: T
  /** The time that `createdAt`, `updatedAt` and `deletedAt` are set to. @default () => new Date() */
  readonly now?: () => Date
}

/** Make a record of a row. The class comes first, because its field declarations may set properties to undefined. */
export const toRecord = <T extends object>(model: ModelClass<T>, row: Readonly<Record<string, unknown>>): T =>
  assignRow(new model(), row)

/** Put the cells of a row into a record. A record that is not deleted has `deletedAt: undefined`. */
export const assignRow = <T extends object>(record: T, row: Readonly<Record<string, unknown>>): T =>
  row.deletedAt === null ? Object.assign(record, row, { deletedAt: undefined }) : Object.assign(record, row)
