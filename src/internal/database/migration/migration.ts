import type { SchemaModule } from 'kysely'
import type { Database } from '../dialect.ts'

/** Kysely's schema builder, the first parameter of a migration. */
export type Schema = SchemaModule

/**
 * What a migration file exports.
 *
 * @example
 * export const up: Migrate = (schema) =>
 *   schema
 *     .createTable('posts')
 *     .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
 *     .addColumn('title', 'varchar(255)', (column) => column.notNull())
 *     .addColumn('created_at', 'datetime(3)', (column) => column.notNull())
 *     .execute()
 *
 * export const down: Migrate = (schema) => schema.dropTable('posts').execute()
 */
export type Migrate = (schema: Schema, db: Database) => Promise<unknown>

/** A migration file as a module. */
export interface MigrationModule {
  readonly up: Migrate
  /** Reverts `up`. Without it the migration cannot be rolled back. */
  readonly down?: Migrate
  /**
   * False runs the file without a transaction, for statements that PostgreSQL refuses inside one, such as `create index
   * concurrently`. If such a file fails halfway, what it did stays. No effect on SQLite and MySQL. @default true
   */
  readonly transaction?: boolean
}

/**
 * A seed file as a module. It runs in a transaction, which models use.
 *
 * @example
 * export const seed: SeedModule['seed'] = () => Post.create({ title: 'Hello' })
 */
export interface SeedModule {
  readonly seed: (db: Database) => Promise<unknown>
}

/** Imports a TypeScript or JavaScript file by its absolute path. */
export type LoadFile = (file: string) => Promise<unknown>

/** Where the migrations are and how they are loaded. */
export interface MigrationOptions {
  /** A database made by `createDatabase`. */
  readonly db: Database
  /** Folder of the migration files, such as `src/database/migrations`. It may be missing, if there are none. */
  readonly folder: string
  /** Imports a file. @default (file) => import(pathToFileURL(file)) */
  readonly load?: LoadFile
  /** How long to wait for another process that migrates, in milliseconds. @default 60000 */
  readonly lockTimeoutMs?: number
}

/** Options of `migrate`. */
export interface MigrateOptions extends MigrationOptions {
  /** Name of the last migration to run, with or without its extension. @default all that are pending */
  readonly to?: string
  /** Report the SQL and run nothing. @default false */
  readonly dryRun?: boolean
}

/** Options of `rollback`. */
export interface RollbackOptions extends Omit<MigrateOptions, 'to'> {
  /** How many migrations to revert, the latest first, or `'all'`. @default 1 */
  readonly step?: number | 'all'
}

/** One migration that ran, or with `dryRun` would run. */
export interface MigrationRun {
  /** File name without extension. */
  readonly name: string
  /** Absolute path. */
  readonly file: string
  readonly direction: 'up' | 'down'
  /** What was, or would be, sent to the database, in order. */
  readonly statements: readonly MigrationStatement[]
  readonly durationMs: number
}

/** One statement of a migration. */
export interface MigrationStatement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/** The state of one migration. */
export interface MigrationStatus {
  /** File name without extension. */
  readonly name: string
  /** Absolute path; not set when the file is missing. */
  readonly file?: string
  /**
   * `edited`: it ran and its file was changed since; `missing`: it ran and its file is missing; `interrupted`: it
   * stopped halfway and the next run continues there (MySQL, which has no transactions for DDL).
   */
  readonly state: 'executed' | 'pending' | 'edited' | 'missing' | 'interrupted'
  /** When it ran. */
  readonly executedAt?: Date
}

/** Why a migration or a seed failed. */
export type MigrationFailure =
  | 'failed'
  | 'edited'
  | 'missing'
  | 'order'
  | 'irreversible'
  | 'unknown'
  | 'invalid'
  | 'locked'

/**
 * Says which file failed, with which statement, and why.
 *
 * @example
 * await migrate({ db, folder }).catch((error) => {
 *   if (error instanceof MigrationError) console.error(error.message, error.file, error.sql)
 * })
 */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'
  readonly reason: MigrationFailure
  /** Absolute path of the file that failed, or that does not match. */
  readonly file: string | undefined
  /** The statement that the database refused. */
  readonly sql: string | undefined
  /** The migrations that ran before the failure. They are not reverted. */
  readonly completed: readonly MigrationRun[]

  constructor(reason: MigrationFailure, message: string, details: MigrationErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.reason = reason
    this.file = details.file
    this.sql = details.sql
    this.completed = details.completed ?? []
  }
}

type MigrationErrorDetails = Partial<Pick<MigrationError, 'file' | 'sql' | 'completed' | 'cause'>>
