import { type Database, Model, t } from '../../src/database.ts'

/** The models of a blog, which refer to each other in circles. */
export class User extends Model.define('users', {
  username: t.string(40).unique(),
  email: t.email().unique(),
  passwordHash: t.string().hidden(),
  bio: t.text().nullable(),
  articles: t.hasMany(() => Article),
  favorites: t.manyToMany(
    () => Article,
    () => Favorite,
  ),
  following: t.manyToMany(
    () => User,
    () => Follow,
    { by: 'follower', to: 'followed' },
  ),
}) {}

export class Article extends Model.define(
  'articles',
  {
    slug: t.string(80).unique().readonly(),
    title: t.string(80),
    price: t.decimal(10, 2).nullable(),
    state: t.enum(['draft', 'live']).default('draft'),
    words: t.integer().default(0),
    author: t.belongsTo(() => User).readonly(),
    tags: t.manyToMany(
      () => Tag,
      () => ArticleTag,
    ),
    comments: t.hasMany(() => Comment),
    fans: t.manyToMany(
      () => User,
      () => Favorite,
    ),
  },
  { softDelete: true },
) {
  get url(): string {
    return `/articles/${this.slug}`
  }
}

export class Tag extends Model.define('tags', { name: t.string(60).unique() }) {}

export class ArticleTag extends Model.define(
  'article_tags',
  { article: t.belongsTo(() => Article), tag: t.belongsTo(() => Tag) },
  { unique: [['article', 'tag']] },
) {}

export class Comment extends Model.define(
  'comments',
  { body: t.text(), author: t.belongsTo(() => User).readonly(), article: t.belongsTo(() => Article).readonly() },
  { version: true },
) {}

export class Favorite extends Model.define(
  'favorites',
  { user: t.belongsTo(() => User), article: t.belongsTo(() => Article) },
  { unique: [['user', 'article']], timestamps: false },
) {}

export class Follow extends Model.define(
  'follows',
  { follower: t.belongsTo(() => User), followed: t.belongsTo(() => User) },
  { unique: [['follower', 'followed']] },
) {}

/** Make their tables, as migrations would. */
export const createConduit = async ({ schema }: Database): Promise<void> => {
  const table = (name: string) =>
    schema.createTable(name).addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
  const stamps = <T extends ReturnType<typeof table>>(builder: T) =>
    builder
      .addColumn('created_at', 'datetime(3)', (column) => column.notNull())
      .addColumn('updated_at', 'datetime(3)', (column) => column.notNull())
  await stamps(table('users'))
    .addColumn('username', 'varchar(40)', (column) => column.notNull().unique())
    .addColumn('email', 'varchar(255)', (column) => column.notNull().unique())
    .addColumn('password_hash', 'varchar(255)', (column) => column.notNull())
    .addColumn('bio', 'text')
    .execute()
  await stamps(table('articles'))
    .addColumn('slug', 'varchar(80)', (column) => column.notNull().unique())
    .addColumn('title', 'varchar(80)', (column) => column.notNull())
    .addColumn('price', 'decimal(10, 2)')
    .addColumn('state', 'varchar(255)', (column) => column.notNull())
    .addColumn('words', 'integer', (column) => column.notNull())
    .addColumn('author_id', 'integer', (column) => column.notNull())
    .addColumn('deleted_at', 'datetime(3)')
    .addForeignKeyConstraint('articles_author', ['author_id'], 'users', ['id'])
    .execute()
  await stamps(table('tags'))
    .addColumn('name', 'varchar(60)', (column) => column.notNull().unique())
    .execute()
  await stamps(table('article_tags'))
    .addColumn('article_id', 'integer', (column) => column.notNull())
    .addColumn('tag_id', 'integer', (column) => column.notNull())
    .addUniqueConstraint('article_tags_both', ['article_id', 'tag_id'])
    .addForeignKeyConstraint('article_tags_tag', ['tag_id'], 'tags', ['id'])
    .execute()
  await stamps(table('comments'))
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('author_id', 'integer', (column) => column.notNull())
    .addColumn('article_id', 'integer', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .execute()
  await table('favorites')
    .addColumn('user_id', 'integer', (column) => column.notNull())
    .addColumn('article_id', 'integer', (column) => column.notNull())
    .addUniqueConstraint('favorites_both', ['user_id', 'article_id'])
    .execute()
  await stamps(table('follows'))
    .addColumn('follower_id', 'integer', (column) => column.notNull())
    .addColumn('followed_id', 'integer', (column) => column.notNull())
    .addUniqueConstraint('follows_both', ['follower_id', 'followed_id'])
    .execute()
}
