import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { app } from '../examples/conduit/src/app.ts'
import { unwrap } from '../src/client.ts'
import { createDatabase, migrate, setDatabase } from '../src/database.ts'
import { testClient } from '../src/testing.ts'
import { describeDatabases } from './database/databases.ts'
import { expectValid } from './openapi/validity.ts'

const password = 'a long enough password'
const article = {
  title: 'How to train',
  description: 'Ever wonder how?',
  body: 'Very carefully',
  tagList: ['b', 'a', 'b'],
}

/** The RealWorld API, over HTTP by the typed client. */
describeDatabases('issue 34: examples/conduit', (bench) => {
  const visitor = testClient(app, { baseUrl: 'http://localhost/api' })

  beforeAll(async () => {
    const db = setDatabase(createDatabase(bench.url))
    const folder = fileURLToPath(new URL('../examples/conduit/migrations', import.meta.url))
    await migrate({ db, folder, load: (file) => import(/* @vite-ignore */ file) })
    return () => db.destroy()
  })

  let count = 0
  /** A user who has registered and signed in, as a client. */
  const signUp = async (name = `user${count++}`) => {
    const user = { username: name, email: `${name}@example.com`, password }
    const made = await unwrap(visitor.post('/users', { json: { user } }))
    const api = testClient(app, {
      baseUrl: 'http://localhost/api',
      headers: { authorization: `Token ${made.user.token}` },
    })
    return { ...user, api }
  }

  test('somebody registers, signs in, and changes the account', async () => {
    const { api, ...user } = await signUp('ann')
    expect((await visitor.post('/users', { json: { user } })).status).toBe(409)
    const { username, email } = user
    const found = await unwrap(
      visitor.post('/users/login', { json: { user: { email: ' ANN@example.com ', password } } }),
    )
    expect(found.user).toEqual({ username, email, bio: null, image: null, token: expect.any(String) })
    for (const wrong of [
      { email, password: 'another password' },
      { email: 'nobody@example.com', password },
    ])
      expect((await visitor.post('/users/login', { json: { user: wrong } })).status).toBe(401)
    expect((await unwrap(api.get('/user'))).user).toMatchObject({ username, email })
    expect((await visitor.get('/user')).status).toBe(401)
    const changed = await unwrap(api.put('/user', { json: { user: { bio: 'Hello', password: 'a newer password' } } }))
    expect(changed.user).toMatchObject({ username, bio: 'Hello' })
    expect((await visitor.post('/users/login', { json: { user: { email, password } } })).status).toBe(401)
    const json = { user: { email, password: 'a newer password' } }
    expect((await visitor.post('/users/login', { json })).status).toBe(200)
    expect((await visitor.put('/user', { json: { user: {} } })).status).toBe(401)
  })

  test('a token that is not valid is refused, also where none is needed', async () => {
    const headers = { authorization: 'Token wrong' }
    expect((await visitor.request('http://localhost/api/articles', { headers })).status).toBe(401)
    expect((await visitor.request('http://localhost/api/user', { headers })).status).toBe(401)
  })

  test('profiles are followed, and their articles are the feed', async () => {
    const [bob, eve] = [await signUp(), await signUp()]
    const params = { username: eve.username }
    expect((await unwrap(visitor.get('/profiles/:username', { params }))).profile.following).toBe(false)
    expect((await visitor.get('/profiles/:username', { params: { username: 'nobody' } })).status).toBe(404)
    for (let times = 0; times < 2; times++)
      expect((await unwrap(bob.api.post('/profiles/:username/follow', { params }))).profile.following).toBe(true)
    expect((await unwrap(bob.api.get('/profiles/:username', { params }))).profile.following).toBe(true)
    expect((await unwrap(bob.api.get('/articles/feed'))).articlesCount).toBe(0)
    await unwrap(eve.api.post('/articles', { json: { article } }))
    await unwrap(bob.api.post('/articles', { json: { article } }))
    const feed = await unwrap(bob.api.get('/articles/feed', { query: { limit: 5 } }))
    expect(feed.articlesCount).toBe(1)
    expect(feed.articles[0]?.author).toMatchObject({ username: eve.username, following: true })
    expect((await visitor.get('/articles/feed')).status).toBe(401)
    expect((await unwrap(bob.api.delete('/profiles/:username/follow', { params }))).profile.following).toBe(false)
    expect((await visitor.post('/profiles/:username/follow', { params })).status).toBe(401)
    expect((await visitor.delete('/profiles/:username/follow', { params })).status).toBe(401)
  })

  test('an article is written, shown, changed and deleted by its author only', async () => {
    const [bob, eve] = [await signUp(), await signUp()]
    expect((await visitor.post('/articles', { json: { article } })).status).toBe(401)
    const made = await unwrap(bob.api.post('/articles', { json: { article } }))
    expect(made.article).toMatchObject({ ...article, tagList: ['a', 'b'], favorited: false, favoritesCount: 0 })
    const params = { slug: made.article?.slug ?? '' }
    expect(params.slug).toMatch(/^how-to-train-[\da-f]{8}$/)
    expect(await unwrap(visitor.get('/articles/:slug', { params }))).toEqual(made)
    const json = { article: { title: 'Another' } }
    expect((await visitor.put('/articles/:slug', { params, json })).status).toBe(401)
    expect((await eve.api.put('/articles/:slug', { params, json })).status).toBe(403)
    expect((await unwrap(bob.api.put('/articles/:slug', { params, json }))).article).toMatchObject({ title: 'Another' })
    await unwrap(eve.api.post('/articles/:slug/comments', { params, json: { comment: { body: 'Nice' } } }))
    await unwrap(eve.api.post('/articles/:slug/favorite', { params }))
    expect((await visitor.delete('/articles/:slug', { params })).status).toBe(401)
    expect((await eve.api.delete('/articles/:slug', { params })).status).toBe(403)
    expect((await bob.api.delete('/articles/:slug', { params })).status).toBe(204)
    expect((await visitor.get('/articles/:slug', { params })).status).toBe(404)
  })

  test('articles are found by tag, author and favourite, in pages', async () => {
    const [bob, eve] = [await signUp(), await signUp()]
    const tag = `tag of ${bob.username}`
    const slugs: string[] = []
    for (const title of ['One', 'Two', 'Three']) {
      const made = await unwrap(bob.api.post('/articles', { json: { article: { ...article, title, tagList: [tag] } } }))
      slugs.push(made.article?.slug ?? '')
    }
    const params = { slug: slugs[1] ?? '' }
    for (let times = 0; times < 2; times++)
      expect((await unwrap(eve.api.post('/articles/:slug/favorite', { params }))).article).toMatchObject({
        favorited: true,
        favoritesCount: 1,
      })
    const titles = async (query: object) => {
      const { articles, articlesCount } = await unwrap(visitor.get('/articles', { query }))
      return { count: articlesCount, titles: articles.map(({ title }) => title) }
    }
    expect(await titles({ tag })).toEqual({ count: 3, titles: ['Three', 'Two', 'One'] })
    expect(await titles({ author: bob.username, limit: 1, offset: 1 })).toEqual({ count: 3, titles: ['Two'] })
    expect(await titles({ favorited: eve.username })).toEqual({ count: 1, titles: ['Two'] })
    expect(await titles({ author: 'nobody' })).toEqual({ count: 0, titles: [] })
    expect((await visitor.request('http://localhost/api/articles?limit=0')).status).toBe(422)
    expect((await unwrap(eve.api.delete('/articles/:slug/favorite', { params }))).article).toMatchObject({
      favorited: false,
      favoritesCount: 0,
    })
    expect((await visitor.post('/articles/:slug/favorite', { params })).status).toBe(401)
    expect((await visitor.delete('/articles/:slug/favorite', { params })).status).toBe(401)
    expect((await unwrap(visitor.get('/tags'))).tags).toContain(tag)
  })

  test('comments are written, listed, and deleted by their author only', async () => {
    const [bob, eve] = [await signUp(), await signUp()]
    const made = await unwrap(bob.api.post('/articles', { json: { article } }))
    const params = { slug: made.article?.slug ?? '' }
    const json = { comment: { body: 'Thank you' } }
    expect((await visitor.post('/articles/:slug/comments', { params, json })).status).toBe(401)
    const { comment } = await unwrap(eve.api.post('/articles/:slug/comments', { params, json }))
    expect(comment).toMatchObject({ body: 'Thank you', author: { username: eve.username } })
    expect((await unwrap(visitor.get('/articles/:slug/comments', { params }))).comments).toEqual([comment])
    const place = { ...params, id: comment.id }
    expect((await bob.api.delete('/articles/:slug/comments/:id', { params: place })).status).toBe(403)
    expect((await visitor.delete('/articles/:slug/comments/:id', { params: place })).status).toBe(401)
    expect((await eve.api.delete('/articles/:slug/comments/:id', { params: place })).status).toBe(204)
    expect((await eve.api.delete('/articles/:slug/comments/:id', { params: place })).status).toBe(404)
    expect((await visitor.get('/articles/:slug/comments', { params: { slug: 'nothing' } })).status).toBe(404)
  })

  test('the document of the API is valid', async () => {
    await expectValid(await (await visitor.request('http://localhost/api/openapi.json')).json())
  })
})
