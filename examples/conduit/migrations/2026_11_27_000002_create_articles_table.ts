import type { Migrate } from 'sluice/database'

export const up: Migrate = async (schema) => {
  await schema
    .createTable('articles')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('slug', 'varchar(255)', (column) => column.notNull())
    .addColumn('title', 'varchar(255)', (column) => column.notNull())
    .addColumn('description', 'varchar(255)', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('author_id', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'datetime(3)', (column) => column.notNull())
    .addColumn('updated_at', 'datetime(3)', (column) => column.notNull())
    .addUniqueConstraint('articles_slug_unique', ['slug'])
    .addForeignKeyConstraint('articles_author_id_foreign', ['author_id'], 'users', ['id'])
    .execute()
  await schema.createIndex('articles_author_id_index').on('articles').column('author_id').execute()
}

export const down: Migrate = (schema) => schema.dropTable('articles').execute()
