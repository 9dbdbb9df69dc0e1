import type { Database } from '../ambient.ts'

/** The part of Kysely's Migrator that is used. Kysely's own types moved between versions. */
export interface StepMigrator {
  migrateUp(): Promise<StepResult>
  migrateDown(): Promise<StepResult>
}

interface StepResult {
  readonly error?: unknown
  readonly results?: readonly { readonly migrationName: string; readonly status: string }[]
}

interface MigratorOptions {
  readonly db: Database
  readonly provider: { readonly getMigrations: () => Promise<Record<string, Step>> }
  readonly nameComparator: (a: string, b: string) => number
  readonly allowUnorderedMigrations: boolean
  readonly disableTransactions: boolean
  readonly migrationTableSchema?: string
}

/** One migration as Kysely takes it. */
export interface Step {
  up(db: Database): Promise<void>
  down(db: Database): Promise<void>
}

type MigratorClass = new (options: MigratorOptions) => StepMigrator

/**
 * Where Kysely keeps its Migrator from 0.29 on. A constant hides the name from bundlers, since 0.28 has no such module.
 */
const MIGRATION_MODULE = 'kysely/migration'

/** Make Kysely's Migrator, wherever the installed version keeps it. */
export const createStepMigrator = async (options: MigratorOptions): Promise<StepMigrator> => {
  const main = (await import('kysely')) as { readonly Migrator?: MigratorClass }
  const Migrator = main.Migrator ?? (await importMigrationModule()).Migrator
  return new Migrator(options)
}

const importMigrationModule = async (): Promise<{ readonly Migrator: MigratorClass }> =>
  (await import(/* @vite-ignore */ MIGRATION_MODULE)) as { readonly Migrator: MigratorClass }
