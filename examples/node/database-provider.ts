import { ServiceProvider } from 'sluice'
import { closeDatabase, createDatabase, setDatabase } from 'sluice/database'
import { env } from 'sluice/env'

/** Opens the database before the first request, and closes it after the last. */
export class DatabaseProvider extends ServiceProvider {
  override async boot(): Promise<void> {
    const db = setDatabase(createDatabase(env('DATABASE_URL', 'sqlite:./todos.sqlite')))
    await db.schema
      .createTable('todos')
      .ifNotExists()
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('title', 'varchar(200)', (column) => column.notNull())
      .addColumn('done', 'boolean', (column) => column.notNull().defaultTo(false))
      .addColumn('created_at', 'datetime', (column) => column.notNull())
      .addColumn('updated_at', 'datetime', (column) => column.notNull())
      .execute()
  }

  override shutdown(): Promise<void> {
    return closeDatabase()
  }
}
