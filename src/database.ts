export {
  closeDatabase,
  createDatabase,
  type Database,
  DatabaseError,
  type DatabaseOptions,
  type DialectName,
  type QueryEvent,
  setDatabase,
  type TransactionOptions,
  transaction,
  useDatabase,
} from './database/connect.ts'
export type { CursorPage, DefinedRecord, ModelBase, RelatedFinder } from './database/defined.ts'
export { type FieldTypes, t } from './database/fields.ts'
export type {
  Finder,
  FindManyOptions,
  FindOneOptions,
  ModelQuery,
  Row,
  Where,
} from './database/find.ts'
export {
  fresh,
  type LoadFile,
  type Migrate,
  type MigrateOptions,
  MigrationError,
  type MigrationFailure,
  type MigrationModule,
  type MigrationOptions,
  type MigrationRun,
  type MigrationStatement,
  type MigrationStatus,
  migrate,
  type RollbackOptions,
  rollback,
  type Schema,
  type SeedModule,
  status,
} from './database/migrate.ts'
export {
  type ColumnKind,
  type Columns,
  type ColumnType,
  Model,
  type ModelClass,
  type Values,
} from './database/model.ts'
export type {
  AnyModel,
  ChangesOf,
  DefineOptions,
  Fields,
  LoadedRecord,
  ManyToMany,
  NewOf,
  Page,
  TablesOf,
  WhereOf,
} from './database/model-types.ts'
export { type SeedOptions, type SeedRun, seed } from './database/seed.ts'
export {
  allOf,
  anyOf,
  type Condition,
  escapeLike,
  gt,
  gte,
  isIn,
  isNull,
  like,
  lt,
  lte,
  not,
  type Scalar,
} from './database/where.ts'
