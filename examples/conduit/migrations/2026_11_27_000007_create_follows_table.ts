import type { Migrate } from 'sluice/database'

export const up: Migrate = async (schema) => {
  await schema
    .createTable('follows')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('follower_id', 'integer', (column) => column.notNull())
    .addColumn('followed_id', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'datetime(3)', (column) => column.notNull())
    .addColumn('updated_at', 'datetime(3)', (column) => column.notNull())
    .addUniqueConstraint('follows_unique', ['follower_id', 'followed_id'])
    .addForeignKeyConstraint('follows_follower_id_foreign', ['follower_id'], 'users', ['id'])
    .addForeignKeyConstraint('follows_followed_id_foreign', ['followed_id'], 'users', ['id'])
    .execute()
  await schema.createIndex('follows_follower_id_index').on('follows').column('follower_id').execute()
  await schema.createIndex('follows_followed_id_index').on('follows').column('followed_id').execute()
}

export const down: Migrate = (schema) => schema.dropTable('follows').execute()
