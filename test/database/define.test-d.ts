import { expectTypeOf, test } from 'vitest'
import { changesOf, inputOf, outputOf } from '../../src/database/schemas.ts'
import { Model, type TablesOf, t } from '../../src/database.ts'
import type * as z from '../../src/z.ts'
import { Article, Comment, Tag, User } from './conduit.ts'

test('create takes what the fields need', () => {
  expectTypeOf(Tag.create).toBeCallableWith({ name: 'x' })
  Article.create({ slug: 'x', title: 'x', authorId: 1, price: null })
  // @ts-expect-error: title is missing
  Article.create({ slug: 'x', authorId: 1 })
  // @ts-expect-error: no such column
  Tag.create({ name: 'x', titel: 'x' })
  // @ts-expect-error: not one of the states
  Article.create({ slug: 'x', title: 'x', authorId: 1, state: 'gone' })
  // @ts-expect-error: a required column is never null
  Tag.create({ name: null })
})

test('a record has its columns, keys and timestamps', async () => {
  const article = await Article.findOrFail(1)
  expectTypeOf(article.price).toEqualTypeOf<number | null>()
  expectTypeOf(article.state).toEqualTypeOf<'draft' | 'live'>()
  expectTypeOf(article.authorId).toEqualTypeOf<number>()
  expectTypeOf(article.deletedAt).toEqualTypeOf<Date | undefined>()
  expectTypeOf(article.url).toEqualTypeOf<string>()
  expectTypeOf((await Comment.findOrFail(1)).version).toEqualTypeOf<number>()
  // @ts-expect-error: it was not loaded
  article.author
})

test('relations have the types of their models', async () => {
  const [article] = await Article.findMany({ with: { author: true, comments: { with: ['author', 'article'] } } })
  expectTypeOf(article?.author).toEqualTypeOf<User | undefined>()
  // A model with soft delete may be gone
  expectTypeOf(article?.comments[0]?.article).toEqualTypeOf<Article | undefined>()
  // @ts-expect-error: no such relation
  Article.findMany({ with: ['nobody'] })
  // @ts-expect-error: no such column of the relation
  Article.findMany({ where: { author: { name: 'x' } } })
  // @ts-expect-error: null needs isNull
  Article.findMany({ where: { price: null } })
  const offset: number | undefined = undefined
  Article.findMany({ offset, limit: offset })
})

test('a relation that may have no record is a record or undefined, on every finder', async () => {
  class Shop extends Model.define('shops', { name: t.string(), owner: t.belongsTo(() => User).nullable() }) {}
  class Owner extends Model.define('owners', { shop: t.hasOne(() => Shop), shops: t.hasMany(() => Shop) }) {}
  const [owner] = await Owner.findMany({ with: ['shop', 'shops'] })
  expectTypeOf(owner?.shop).toEqualTypeOf<Shop | undefined>()
  expectTypeOf(owner?.shops).toEqualTypeOf<Shop[] | undefined>()
  expectTypeOf((await Shop.findOrFail(1, { with: ['owner'] })).owner).toEqualTypeOf<User | undefined>()
  const [gone] = await Article.onlyTrashed().findMany({ with: ['author'] })
  expectTypeOf(gone?.author).toEqualTypeOf<User | undefined>()
  // @ts-expect-error: what was loaded is no column
  await gone?.update({ author: undefined })
  // @ts-expect-error: a column is no relation
  Article.findById(1, { with: ['title'] })
})

test('schemas have the types of their columns', () => {
  type Input = z.infer<ReturnType<typeof inputOf<typeof Article>>>
  expectTypeOf<keyof Input>().toEqualTypeOf<'title' | 'price' | 'state' | 'words'>()
  expectTypeOf(inputOf(Article).parse({}).title).toEqualTypeOf<string>()
  expectTypeOf(changesOf(Article).parse({}).title).toEqualTypeOf<string | undefined>()
  expectTypeOf(outputOf(Article).parse({}).slug).toEqualTypeOf<string>()
  // @ts-expect-error: hidden
  outputOf(User).parse({}).passwordHash
})

test('what define takes', () => {
  Model.define('things', { price: t.decimal().default(1).nullable() })
  // @ts-expect-error: not a number
  t.integer().default('1')
  // @ts-expect-error: no such option
  Model.define('things', {}, { timestamp: true })
})

test('tables for Kysely', () => {
  type Tables = TablesOf<{ Tag: typeof Tag }>
  expectTypeOf<Tables['tags']['name']>().toEqualTypeOf<string>()
})
