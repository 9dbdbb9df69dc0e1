import { randomUUID } from 'node:crypto'
import { createApp, HttpError, validateBody, validateQuery } from 'sluice'
import { isIn, transaction } from 'sluice/database'
import { describe } from 'sluice/openapi'
import { changesOf, inputOf, outputOf, refusals } from 'sluice/resource'
import * as z from 'sluice/z'
import { signedIn, viewer } from './auth.ts'
import { Article, Comment, Tag, type User } from './models.ts'
import { profile, profileOf } from './users.ts'

const tags = ['articles']
const answer = outputOf(Article)
  .omit({ id: true, authorId: true })
  .extend({ tagList: z.array(z.string()), favorited: z.boolean(), favoritesCount: z.number().int(), author: profile })
const one = z.object({ article: answer })
const many = z.object({ articles: z.array(answer.omit({ body: true })), articlesCount: z.number().int() })
const input = z.object({
  article: inputOf(Article).extend({ tagList: z.array(z.string().min(1).max(60)).default([]) }),
})
const range = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  offset: z.coerce.number().int().min(0).max(1e9).default(0),
})
const filters = range.extend({
  tag: z.string().optional(),
  author: z.string().optional(),
  favorited: z.string().optional(),
})
const remark = outputOf(Comment)
  .pick({ id: true, body: true, createdAt: true, updatedAt: true })
  .extend({ author: profile })

/** What every answer needs: a fixed number of statements, however many articles there are. */
const parts = { with: ['author', 'tags'], count: ['fans'] } as const
const find = (slug: string) => Article.findOneOrFail({ where: { slug }, ...parts })
type Full = Awaited<ReturnType<typeof find>>

/** Articles as this visitor sees them. */
const show = async (articles: readonly Full[], visitor?: User) => {
  const [liked, followed] = await Promise.all([
    visitor?.related('favorites').ids(),
    visitor?.related('following').ids(),
  ])
  return articles.map(({ id, slug, title, description, body, createdAt, updatedAt, author, tags, fansCount }) => ({
    ...{ slug, title, description, body, createdAt, updatedAt },
    tagList: tags.map(({ name }) => name).sort(),
    favorited: liked?.includes(id) ?? false,
    favoritesCount: fansCount,
    author: profileOf(author, followed),
  }))
}
const reply = async (slug: string, visitor?: User) => ({ article: (await show([await find(slug)], visitor))[0] })
const slugOf = (title: string) => `${title.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-${randomUUID().slice(0, 8)}`

type Where = NonNullable<NonNullable<Parameters<typeof Article.count>[0]>['where']>

const list = async (where: Where, { limit, offset }: z.output<typeof range>, visitor?: User) => {
  const articles = await Article.findMany({
    where,
    limit,
    offset,
    orderBy: { createdAt: 'desc', id: 'desc' },
    ...parts,
  })
  const shown = (await show(articles, visitor)).map(({ body: _body, ...article }) => article)
  return { articles: shown, articlesCount: await Article.count({ where }) }
}

/** An article that this user wrote. @throws {HttpError} 404, and 403 for one of somebody else. */
const own = async (user: User, slug: string) => {
  const article = await Article.findOneOrFail({ where: { slug } })
  if (article.authorId !== user.id) throw new HttpError(403)
  return article
}

const like = async (user: User, slug: string, method: 'attach' | 'detach') => {
  const { id } = await Article.findOneOrFail({ where: { slug } })
  await user.related('favorites')[method]([id])
  return reply(slug, user)
}

/** Articles with their tags, comments and favourites. */
export const articles = createApp<unknown, object>()
  .get('/articles', describe({ tags, responses: { 200: many } }), validateQuery(filters), viewer, async (ctx) => {
    const { tag, author, favorited, ...page } = ctx.state.valid.query
    const where = {
      ...(tag !== undefined && { tags: { name: tag } }),
      ...(author !== undefined && { author: { username: author } }),
      ...(favorited !== undefined && { fans: { username: favorited } }),
    }
    return ctx.json(await list(where, page, ctx.state.viewer))
  })
  .get(
    '/articles/feed',
    describe({ tags, responses: { 200: many, ...refusals(401) } }),
    signedIn,
    validateQuery(range),
    async (ctx) => {
      const authors = await ctx.state.user.related('following').ids()
      return ctx.json(await list({ authorId: isIn(authors) }, ctx.state.valid.query, ctx.state.user))
    },
  )
  .get('/articles/:slug', describe({ tags, responses: { 200: one, ...refusals(404) } }), viewer, async (ctx) =>
    ctx.json(await reply(ctx.params.slug, ctx.state.viewer)),
  )
  .post(
    '/articles',
    describe({ tags, responses: { 201: one, ...refusals(401, 422) } }),
    signedIn,
    validateBody(input, { type: 'json' }),
    async (ctx) => {
      const { tagList, ...values } = ctx.state.valid.body.article
      const slug = slugOf(values.title)
      await transaction(async () => {
        const article = await ctx.state.user.related('articles').create({ ...values, slug })
        const ids: number[] = []
        // In one order, so that two requests at once do not wait for each other
        for (const name of [...new Set(tagList)].sort()) ids.push((await Tag.firstOrCreate({ name })).id)
        await article.related('tags').sync(ids)
      })
      return ctx.json(await reply(slug, ctx.state.user), 201)
    },
  )
  .put(
    '/articles/:slug',
    describe({ tags, responses: { 200: one, ...refusals(401, 403, 404, 422) } }),
    signedIn,
    validateBody(z.object({ article: changesOf(Article) }), { type: 'json' }),
    async (ctx) => {
      const { slug } = await (await own(ctx.state.user, ctx.params.slug)).update(ctx.state.valid.body.article)
      return ctx.json(await reply(slug, ctx.state.user))
    },
  )
  .delete(
    '/articles/:slug',
    describe({ tags, responses: { 204: {}, ...refusals(401, 403, 404) } }),
    signedIn,
    async (ctx) => {
      const article = await own(ctx.state.user, ctx.params.slug)
      await transaction(async () => {
        await Promise.all([article.related('tags').sync([]), article.related('fans').sync([])])
        await Comment.deleteWhere({ articleId: article.id })
        await article.delete()
      })
      return new Response(null, { status: 204 })
    },
  )
  .post(
    '/articles/:slug/favorite',
    describe({ tags, responses: { 200: one, ...refusals(401, 404) } }),
    signedIn,
    async (ctx) => ctx.json(await like(ctx.state.user, ctx.params.slug, 'attach')),
  )
  .delete(
    '/articles/:slug/favorite',
    describe({ tags, responses: { 200: one, ...refusals(401, 404) } }),
    signedIn,
    async (ctx) => ctx.json(await like(ctx.state.user, ctx.params.slug, 'detach')),
  )
  .get(
    '/articles/:slug/comments',
    describe({ tags, responses: { 200: z.object({ comments: z.array(remark) }), ...refusals(404) } }),
    viewer,
    async (ctx) => {
      const article = await Article.findOneOrFail({ where: { slug: ctx.params.slug } })
      const comments = await article.related('comments').findMany({ with: ['author'], orderBy: { id: 'asc' } })
      const followed = await ctx.state.viewer?.related('following').ids()
      return ctx.json({
        comments: comments.map(({ author, ...comment }) => ({ ...comment, author: profileOf(author, followed) })),
      })
    },
  )
  .post(
    '/articles/:slug/comments',
    describe({ tags, responses: { 201: z.object({ comment: remark }), ...refusals(401, 404, 422) } }),
    signedIn,
    validateBody(z.object({ comment: inputOf(Comment) }), { type: 'json' }),
    async (ctx) => {
      const { user, valid } = ctx.state
      const article = await Article.findOneOrFail({ where: { slug: ctx.params.slug } })
      const comment = await article.related('comments').create({ ...valid.body.comment, authorId: user.id })
      return ctx.json({ comment: { ...comment, author: profileOf(user) } }, 201)
    },
  )
  .delete(
    '/articles/:slug/comments/:id',
    describe({ tags, responses: { 204: {}, ...refusals(401, 403, 404) } }),
    signedIn,
    async (ctx) => {
      const article = await Article.findOneOrFail({ where: { slug: ctx.params.slug } })
      const comment = await article.related('comments').findOrFail(ctx.params.id)
      if (comment.authorId !== ctx.state.user.id) throw new HttpError(403)
      await comment.delete()
      return new Response(null, { status: 204 })
    },
  )
  .get('/tags', describe({ tags, responses: { 200: z.object({ tags: z.array(z.string()) }) } }), async (ctx) =>
    ctx.json({ tags: (await Tag.findMany({ orderBy: { name: 'asc' } })).map(({ name }) => name) }),
  )
