import type { Migrate } from 'sluice/database'

export const up: Migrate = async (schema) => {
  await schema
    .createTable('article_tags')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('article_id', 'integer', (column) => column.notNull())
    .addColumn('tag_id', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'datetime(3)', (column) => column.notNull())
    .addColumn('updated_at', 'datetime(3)', (column) => column.notNull())
    .addUniqueConstraint('article_tags_unique', ['article_id', 'tag_id'])
    .addForeignKeyConstraint('article_tags_article_id_foreign', ['article_id'], 'articles', ['id'])
    .addForeignKeyConstraint('article_tags_tag_id_foreign', ['tag_id'], 'tags', ['id'])
    .execute()
  await schema.createIndex('article_tags_article_id_index').on('article_tags').column('article_id').execute()
  await schema.createIndex('article_tags_tag_id_index').on('article_tags').column('tag_id').execute()
}

export const down: Migrate = (schema) => schema.dropTable('article_tags').execute()
