import type { Migrate } from 'sluice/database'

export const up: Migrate = async (schema) => {
  await schema
    .createTable('comments')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('author_id', 'integer', (column) => column.notNull())
    .addColumn('article_id', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'datetime(3)', (column) => column.notNull())
    .addColumn('updated_at', 'datetime(3)', (column) => column.notNull())
    .addForeignKeyConstraint('comments_author_id_foreign', ['author_id'], 'users', ['id'])
    .addForeignKeyConstraint('comments_article_id_foreign', ['article_id'], 'articles', ['id'])
    .execute()
  await schema.createIndex('comments_author_id_index').on('comments').column('author_id').execute()
  await schema.createIndex('comments_article_id_index').on('comments').column('article_id').execute()
}

export const down: Migrate = (schema) => schema.dropTable('comments').execute()
