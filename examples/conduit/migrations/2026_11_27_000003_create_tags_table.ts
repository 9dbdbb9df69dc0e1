import type { Migrate } from 'sluice/database'

export const up: Migrate = (schema) =>
  schema
    .createTable('tags')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('name', 'varchar(60)', (column) => column.notNull())
    .addColumn('created_at', 'datetime(3)', (column) => column.notNull())
    .addColumn('updated_at', 'datetime(3)', (column) => column.notNull())
    .addUniqueConstraint('tags_name_unique', ['name'])
    .execute()

export const down: Migrate = (schema) => schema.dropTable('tags').execute()
