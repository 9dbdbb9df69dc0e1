import { Model, t } from 'sluice/database'

/** Somebody who writes, follows and likes. */
export class User extends Model.define('users', {
  username: t.string(40).unique(),
  email: t.email().unique(),
  passwordHash: t.string().hidden(),
  bio: t.text().nullable(),
  image: t.url().nullable(),
  articles: t.hasMany(() => Article),
  comments: t.hasMany(() => Comment),
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

export class Article extends Model.define('articles', {
  slug: t.string().unique().readonly(),
  title: t.string(),
  description: t.string(),
  body: t.text(),
  author: t.belongsTo(() => User).readonly(),
  comments: t.hasMany(() => Comment),
  tags: t.manyToMany(
    () => Tag,
    () => ArticleTag,
  ),
  fans: t.manyToMany(
    () => User,
    () => Favorite,
  ),
}) {}

export class Comment extends Model.define('comments', {
  body: t.text(),
  author: t.belongsTo(() => User).readonly(),
  article: t.belongsTo(() => Article).readonly(),
}) {}

export class Tag extends Model.define('tags', { name: t.string(60).unique() }) {}

export class ArticleTag extends Model.define(
  'article_tags',
  { article: t.belongsTo(() => Article), tag: t.belongsTo(() => Tag) },
  { unique: [['article', 'tag']] },
) {}

export class Favorite extends Model.define(
  'favorites',
  { user: t.belongsTo(() => User), article: t.belongsTo(() => Article) },
  { unique: [['user', 'article']] },
) {}

export class Follow extends Model.define(
  'follows',
  { follower: t.belongsTo(() => User), followed: t.belongsTo(() => User) },
  { unique: [['follower', 'followed']] },
) {}
