export type { ColumnKind, Columns } from './columns.ts'
export {
  closeDatabase,
  createDatabase,
  type Database,
  type DatabaseOptions,
  type QueryEvent,
  setDatabase,
  transaction,
  useDatabase,
} from './connect.ts'
export type { Finder, FindManyOptions, FindOneOptions, ModelQuery, Row, Where } from './find.ts'
export { fresh } from './fresh.ts'
export {
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
  type RollbackOptions,
  type Schema,
  type SeedModule,
} from './migration.ts'
export { migrate, rollback, status } from './migrator.ts'
export { Model, type Values } from './model.ts'
export type { ModelClass } from './model-class.ts'
export { type SeedOptions, type SeedRun, seed } from './seed.ts'
export type { DialectName } from './url.ts'
