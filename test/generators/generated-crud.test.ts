import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate, setDatabase } from '../../src/database.ts'
import { type App, createApp } from '../../src/index.ts'
import { describeDatabases } from '../database/databases.ts'
import { runCommand } from './run-command.ts'
import { temporaryFolder } from './sandbox.ts'

interface Controller {
  readonly index: (ctx: object) => Promise<Response>
  readonly show: (ctx: object) => Promise<Response>
  readonly store: (ctx: object) => Promise<Response>
  readonly update: (ctx: object) => Promise<Response>
  readonly destroy: (ctx: object) => Promise<Response>
}

const FIELDS = 'title,body:text?,stars:integer,score:number?,active:boolean,born:date?'
const SAMPLE = { title: 'Hello', body: 'A text', stars: 3, score: 1.5, active: true, born: '2026-11-21T10:00:00.000Z' }

/** The routes of SPEC 4.4 over one controller. */
const mount = (app: App, path: string, controller: Controller): void => {
  app.get(path, controller.index)
  app.post(path, controller.store)
  app.get(`${path}/:id`, controller.show)
  app.put(`${path}/:id`, controller.update)
  app.delete(`${path}/:id`, controller.destroy)
}

describeDatabases('G19: generated code over HTTP', (bench) => {
  const app = createApp()
  let address = ''
  let close = async (): Promise<void> => {}

  beforeAll(async () => {
    const root = temporaryFolder()
    for (const line of [
      `resource Post ${FIELDS}`,
      `model admin/BlogEntry --soft-delete ${FIELDS}`,
      `migration CreateBlogEntriesTable --soft-delete ${FIELDS}`,
      'controller admin/BlogEntry --resource',
      'controller Person',
      'migration AddNicknameToPosts',
    ]) {
      expect(await runCommand(root, ['g', ...line.split(' '), '--cwd', root])).toMatchObject({ code: 0, err: '' })
    }
    const load = (file: string): Promise<Record<string, unknown>> => import(/* @vite-ignore */ file)
    setDatabase(bench.db)
    const runs = await migrate({ db: bench.db, folder: join(root, 'src/database/migrations'), load })
    expect(runs).toHaveLength(3)
    const routes = await load(join(root, 'src/app/routes/post.ts'))
    app.mount('/', routes.postRoutes as App)
    const entries = await load(join(root, 'src/app/controllers/admin/BlogEntryController.ts'))
    mount(app, '/admin/blog-entries', entries.BlogEntryController as Controller)
    const people = await load(join(root, 'src/app/controllers/PersonController.ts'))
    const { index, show } = people.PersonController as Controller
    app.get('/people', index)
    app.get('/people/:id', show)
    const server = await app.listen({ port: 0, hostname: '127.0.0.1' })
    address = `http://127.0.0.1:${server.port}`
    close = () => app.close()
  })
  afterAll(() => close())

  const ask = async (method: string, path: string, body?: unknown) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const init = body === undefined ? {} : { body: text, headers: { 'content-type': 'application/json' } }
    const response = await fetch(address + path, { method, ...init, signal: AbortSignal.timeout(10_000) })
    const answer = await response.text()
    return { status: response.status, body: answer === '' ? undefined : JSON.parse(answer) }
  }

  /** Ids that are none, or that nothing has: never a 500. */
  const STRANGE_IDS = [
    '0',
    '-1',
    'abc',
    '1.5',
    '1e3',
    '01',
    '2147483648',
    '99999999999999999999',
    "1'--",
    '%20',
    'NaN',
    '%00',
    'null',
  ]

  describe('G5, G10: the api style', () => {
    test('store answers 201 with what was stored, show the same', async () => {
      const stored = await ask('POST', '/posts', SAMPLE)
      expect(stored).toMatchObject({ status: 201, body: { data: SAMPLE } })
      expect(Object.keys(stored.body)).toEqual(['data'])
      expect(stored.body.data.id).toEqual(expect.any(Number))
      expect(Date.parse(stored.body.data.createdAt)).toBeGreaterThan(0)
      expect(await ask('GET', `/posts/${stored.body.data.id}`)).toEqual({ status: 200, body: stored.body })
    })

    test('an optional field can be omitted, and is returned as null', async () => {
      const { status, body } = await ask('POST', '/posts', { title: 'Short', stars: 0, active: false })
      expect(status).toBe(201)
      expect(body.data).toMatchObject({ title: 'Short', stars: 0, active: false, body: null, score: null, born: null })
    })

    test('id, timestamps and undeclared columns cannot be set', async () => {
      const { status, body } = await ask('POST', '/posts', {
        ...SAMPLE,
        id: 4711,
        createdAt: '2000-01-01T00:00:00Z',
        role: 'admin',
      })
      expect(status).toBe(201)
      expect(body.data.id).not.toBe(4711)
      expect(body.data.createdAt).not.toContain('2000')
      expect(body.data).not.toHaveProperty('role')
    })

    test.each([
      ['an empty object', {}, ['title', 'stars', 'active']],
      ['a wrong type', { ...SAMPLE, stars: 'three' }, ['stars']],
      ['an empty title', { ...SAMPLE, title: '  ' }, ['title']],
      ['a title that is too long for its column', { ...SAMPLE, title: 'x'.repeat(256) }, ['title']],
      ['a number that is too large for its column', { ...SAMPLE, stars: 2_147_483_648 }, ['stars']],
      ['an invalid date', { ...SAMPLE, born: 'soon' }, ['born']],
      ['an array', [], [undefined]],
      ['null', 'null', [undefined]],
      ['a text', '"text"', [undefined]],
    ])('422 with the issues: %s', async (_, given, paths) => {
      const { status, body } = await ask('POST', '/posts', given)
      expect(status).toBe(422)
      expect(body.error).toBe('Validation failed')
      expect(body.issues.map((issue: { path: unknown[] }) => issue.path[0])).toEqual(paths)
    })

    test.each(['', '{', '{"title":}', 'title=x'])('400 for a body that is no JSON: %j', async (given) => {
      expect(await ask('POST', '/posts', given)).toMatchObject({ status: 400, body: { error: expect.any(String) } })
    })

    test('update changes what was sent and leaves the rest', async () => {
      const { body } = await ask('POST', '/posts', SAMPLE)
      const path = `/posts/${body.data.id}`
      const updated = await ask('PUT', path, { title: 'Changed', body: null })
      expect(updated).toMatchObject({
        status: 200,
        body: { data: { ...SAMPLE, title: 'Changed', body: null, id: body.data.id } },
      })
      expect((await ask('GET', path)).body).toEqual(updated.body)
      expect((await ask('PUT', path, {})).status).toBe(200)
      expect(await ask('PUT', path, { stars: 'x' })).toMatchObject({
        status: 422,
        body: { error: 'Validation failed' },
      })
      expect((await ask('PUT', path, '{')).status).toBe(400)
    })

    test('destroy answers 204 without a body, and then it is gone', async () => {
      const { body } = await ask('POST', '/posts', SAMPLE)
      const path = `/posts/${body.data.id}`
      expect(await ask('DELETE', path)).toEqual({ status: 204, body: undefined })
      for (const method of ['GET', 'DELETE'])
        expect(await ask(method, path)).toEqual({ status: 404, body: { error: 'Post not found' } })
      expect(await ask('PUT', path, {})).toEqual({ status: 404, body: { error: 'Post not found' } })
    })

    test.each(STRANGE_IDS)('E5: 404 for the id %s', async (id) => {
      expect(await ask('GET', `/posts/${id}`)).toEqual({ status: 404, body: { error: 'Post not found' } })
      expect((await ask('PUT', `/posts/${id}`, {})).status).toBe(404)
      expect((await ask('DELETE', `/posts/${id}`)).status).toBe(404)
    })

    test('index gives pages in the order of the ids', async () => {
      const { body: start } = await ask('GET', '/posts?limit=1')
      for (let index = start.meta.total; index < 23; index++) await ask('POST', '/posts', { ...SAMPLE, stars: index })
      const total = Math.max(23, start.meta.total)
      const first = await ask('GET', '/posts')
      expect(first.body.meta).toEqual({ page: 1, limit: 10, total, totalPages: Math.ceil(total / 10) })
      expect(first.body.data).toHaveLength(10)
      const last = await ask('GET', '/posts?page=3')
      expect(last.body.data).toHaveLength(total - 20)
      const ids = [...first.body.data, ...(await ask('GET', '/posts?page=2')).body.data, ...last.body.data].map(
        ({ id }) => id,
      )
      expect(ids).toEqual(ids.toSorted((a, b) => a - b))
      expect(new Set(ids).size).toBe(total)
      expect((await ask('GET', '/posts?page=99')).body).toMatchObject({ data: [], meta: { page: 99, total } })
    })

    test.each([
      ['page=abc', { page: 1, limit: 10 }],
      ['page=0&limit=0', { page: 1, limit: 10 }],
      ['page=-1&limit=-5', { page: 1, limit: 10 }],
      ['page=1.5&limit=NaN', { page: 1, limit: 10 }],
      ['page=&limit=', { page: 1, limit: 10 }],
      ['page=2&limit=5', { page: 2, limit: 5 }],
      ['limit=100', { page: 1, limit: 100 }],
      ['limit=101', { page: 1, limit: 100 }],
      ['limit=9999999999', { page: 1, limit: 100 }],
      ['page=9999999999', { page: 9_999_999_999, limit: 10 }],
      ['page=99999999999999999999', { page: 1, limit: 10 }],
      ['page=1;drop%20table%20posts', { page: 1, limit: 10 }],
      ['page=2&page=3', { page: 2, limit: 10 }],
    ])('?%s counts as %j', async (query, meta) => {
      expect(await ask('GET', `/posts?${query}`)).toMatchObject({ status: 200, body: { meta } })
    })
  })

  describe('G4, G10: the plain style, with soft delete', () => {
    test('each action has the shape of SPEC 4.4', async () => {
      const stored = await ask('POST', '/admin/blog-entries', SAMPLE)
      expect(stored).toMatchObject({ status: 201, body: { blogEntry: SAMPLE } })
      const path = `/admin/blog-entries/${stored.body.blogEntry.id}`
      expect(await ask('GET', path)).toEqual({ status: 200, body: stored.body })
      expect(await ask('PUT', path, { title: 'Changed' })).toMatchObject({
        status: 200,
        body: { blogEntry: { title: 'Changed', stars: 3 } },
      })
      const { body } = await ask('GET', '/admin/blog-entries')
      expect(body.blogEntries).toHaveLength(1)
      expect(await ask('DELETE', path)).toEqual({ status: 204, body: undefined })
      expect(await ask('GET', '/admin/blog-entries')).toEqual({ status: 200, body: { blogEntries: [] } })
      expect(await ask('GET', path)).toEqual({ status: 404, body: { error: 'BlogEntry not found' } })
      const row = await bench.db.selectFrom('blog_entries').select('deletedAt').executeTakeFirstOrThrow()
      expect(row.deletedAt).not.toBeNull()
    })

    test.each(STRANGE_IDS)('E5: 404 for the id %s', async (id) => {
      expect(await ask('GET', `/admin/blog-entries/${id}`)).toEqual({
        status: 404,
        body: { error: 'BlogEntry not found' },
      })
    })

    test.each([
      ['no JSON', '{', 400],
      ['null', 'null', 422],
      ['an array', '[]', 422],
      ['a value of the wrong kind', { ...SAMPLE, stars: {} }, 422],
      ['an array for a text', { ...SAMPLE, title: [1] }, 422],
      ['a NUL', { ...SAMPLE, title: 'a\0b' }, 422],
      ['SQL', { ...SAMPLE, title: "'); drop table blog_entries; --" }, 201],
    ])('%s is answered, and never with 500', async (_, given, status) => {
      expect((await ask('POST', '/admin/blog-entries', given)).status).toBe(status)
    })
  })

  test('G3: the stubs answer 501 as JSON', async () => {
    expect(await ask('GET', '/people')).toEqual({ status: 501, body: { error: 'Not implemented', path: '/people' } })
    expect((await ask('GET', '/people/7')).status).toBe(501)
  })
})
