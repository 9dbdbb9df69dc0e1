import type { Migrate } from 'sluice/database'

export const up: Migrate = (schema) =>
  schema
    .createTable('users')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('username', 'varchar(40)', (column) => column.notNull())
    .addColumn('email', 'varchar(255)', (column) => column.notNull())
    .addColumn('password_hash', 'varchar(255)', (column) => column.notNull())
    .addColumn('bio', 'text')
    .addColumn('image', 'varchar(1000)')
    .addColumn('created_at', 'datetime(3)', (column) => column.notNull())
    .addColumn('updated_at', 'datetime(3)', (column) => column.notNull())
    .addUniqueConstraint('users_username_unique', ['username'])
    .addUniqueConstraint('users_email_unique', ['email'])
    .execute()

export const down: Migrate = (schema) => schema.dropTable('users').execute()
