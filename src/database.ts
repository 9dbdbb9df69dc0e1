export * from './database/connect.ts'
export type { CursorPage, DefinedRecord, ModelBase, RelatedFinder } from './database/defined.ts'
export { type FieldTypes, t } from './database/fields.ts'
export type { Finder, FindManyOptions, FindOneOptions, ModelQuery } from './database/find.ts'
export * from './database/migrate.ts'
export * from './database/model.ts'
export type {
  AnyModel,
  ChangesOf,
  DefineOptions,
  Fields,
  LoadedRecord,
  ManyToMany,
  NewOf,
  Page,
  Row,
  TablesOf,
  Where,
  WhereOf,
} from './database/model-types.ts'
export * from './database/seed.ts'
export * from './database/where.ts'
