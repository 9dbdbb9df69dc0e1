import type { Migrate } from 'sluice/database'

export const up: Migrate = async (schema) => {
  await schema
    .createTable('favorites')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('user_id', 'integer', (column) => column.notNull())
    .addColumn('article_id', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'datetime(3)', (column) => column.notNull())
    .addColumn('updated_at', 'datetime(3)', (column) => column.notNull())
    .addUniqueConstraint('favorites_unique', ['user_id', 'article_id'])
    .addForeignKeyConstraint('favorites_user_id_foreign', ['user_id'], 'users', ['id'])
    .addForeignKeyConstraint('favorites_article_id_foreign', ['article_id'], 'articles', ['id'])
    .execute()
  await schema.createIndex('favorites_user_id_index').on('favorites').column('user_id').execute()
  await schema.createIndex('favorites_article_id_index').on('favorites').column('article_id').execute()
}

export const down: Migrate = (schema) => schema.dropTable('favorites').execute()
