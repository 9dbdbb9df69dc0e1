import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  closeDatabase,
  createDatabase,
  type Database,
  isIn,
  Model,
  setDatabase,
  t,
  transaction,
} from '../../src/database.ts'
import { Article, ArticleTag, Comment, createConduit, Favorite, Follow, Tag, User } from './conduit.ts'
import { describeDatabases } from './databases.ts'

const ALL = [Favorite, Follow, ArticleTag, Comment, Article, Tag, User]

const person = (username: string) => ({ username, email: `${username}@b.example`, passwordHash: 'secret' })

describeDatabases('Model.define', (bench) => {
  const statements: string[] = []
  let db: Database
  let [ann, bob] = [undefined as never as User, undefined as never as User]
  beforeAll(async () => {
    db = createDatabase({ url: bench.url, log: ({ sql }) => void statements.push(sql) })
    await createConduit(db)
  })
  beforeEach(async () => {
    setDatabase(db)
    for (const model of ALL) await db.deleteFrom(model.tableName).execute()
    ann = await User.create(person('ann'))
    bob = await User.create(person('bob'))
    statements.length = 0
  })
  afterAll(() => closeDatabase())

  const write = (slug: string, more: object = {}): Promise<Article> =>
    Article.create({ slug, title: slug, authorId: ann.id, ...more })
  const counted = async <T>(work: () => Promise<T>): Promise<[T, number]> => {
    statements.length = 0
    const result = await work()
    return [result, statements.length]
  }

  test('create fills in what has a default, and the record is an ordinary object of its class', async () => {
    const article = await write('a', { price: 1.5 })
    expect(article).toBeInstanceOf(Article)
    expect({ url: article.url, state: article.state, words: article.words, price: article.price }).toEqual({
      url: '/articles/a',
      state: 'draft',
      words: 0,
      price: 1.5,
    })
    expect(Object.keys(article.toJSON()).sort()).toEqual(
      ['authorId', 'createdAt', 'id', 'price', 'slug', 'state', 'title', 'updatedAt', 'words'].sort(),
    )
  })

  test.each<[string, (where: never) => Promise<unknown>]>([
    ['findMany', (where) => Article.findMany({ where })],
    ['findOne', (where) => Article.findOne({ where })],
    ['count', (where) => Article.count({ where })],
    ['page', (where) => Article.page({ where, page: 1, limit: 1 })],
    ['updateWhere', (where) => Article.updateWhere(where, { title: 'lost' })],
    ['deleteWhere', (where) => Article.deleteWhere(where)],
    ['stream', (where) => Article.stream({ where })[Symbol.asyncIterator]().next()],
    ['with', (where) => User.findMany({ with: { articles: { where } } })],
  ])('%s refuses a where that is not an object of columns, and touches no row', async (_, run) => {
    await write('kept')
    for (const where of [null, [], 'x', isIn(['x'])]) {
      await expect(run(where as never)).rejects.toThrow(/expected (?:an object of columns|conditions)/)
    }
    expect(await Article.count({ where: { title: 'kept' } })).toBe(1)
  })

  test.each(['id', 'related', 'update', 'constructor'])('a field named %s is refused when it is defined', (name) => {
    expect(() => Model.define('things', { [name]: t.string() })).toThrow(
      `Model.define: things: ${name}: a record has a member of this name`,
    )
  })

  test('a stream refuses as findMany does: null as a condition is 422, a batch of 0 is 400', async () => {
    const next = (options: object): Promise<unknown> => Article.stream(options)[Symbol.asyncIterator]().next()
    await expect(next({ where: { title: null } })).rejects.toMatchObject({
      status: 422,
      '~response': expect.anything(),
    })
    await expect(next({ batch: 0 })).rejects.toMatchObject({ status: 400, '~response': expect.anything() })
  })

  test('createMany leaves to the database what a row leaves out', async () => {
    await Article.createMany([
      { slug: 'a', title: 'A', authorId: ann.id },
      { slug: 'b', title: 'B', authorId: ann.id, price: 2 },
    ])
    const all = await Article.findMany({ orderBy: { slug: 'asc' } })
    expect(all.map(({ slug, price }) => ({ slug, price }))).toEqual([
      { slug: 'a', price: null },
      { slug: 'b', price: 2 },
    ])
    await expect(Article.createMany([null as never])).rejects.toMatchObject({ status: 422 })
  })

  test('createMany inserts rows without a value, and leaves all columns to the database', async () => {
    class Ticket extends Model.define('tickets', { note: t.text().nullable() }, { timestamps: false }) {}
    const { schema } = db
    await schema
      .createTable('tickets')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('note', 'text')
      .execute()
    expect(await Ticket.createMany([{}, { note: 'x' }, {}])).toBe(3)
    const notes = (await Ticket.findMany()).map(({ note }) => note)
    expect({ empty: notes.filter((note) => note === null).length, all: notes.length }).toEqual({ empty: 2, all: 3 })
    await schema.dropTable('tickets').execute()
  })

  test('count takes the options of the page that it is the total of, and counts every row', async () => {
    for (const slug of ['a', 'b', 'c']) await write(slug)
    const options = {
      where: { authorId: ann.id },
      orderBy: { slug: 'asc' },
      limit: 1,
      offset: 1,
      with: ['author'],
    } as const
    expect({ page: (await Article.findMany(options)).length, total: await Article.count(options) }).toEqual({
      page: 1,
      total: 3,
    })
    await expect(Article.count({ ...options, wher: {} } as never)).rejects.toThrow('wher: unknown option')
  })

  test('a hidden column is in the record and not in its JSON', () => {
    expect({ value: ann.passwordHash, json: 'passwordHash' in ann.toJSON() }).toEqual({ value: 'secret', json: false })
  })

  test.each<[string, object, string]>([
    ['a text that is too long', { title: 'x'.repeat(81) }, 'title: expected at most 80 characters'],
    ['half a whole number', { words: 1.5 }, 'words: expected a whole number from -2147483648 to 2147483647'],
    [
      'a whole number that is too large',
      { words: 2 ** 31 },
      'words: expected a whole number from -2147483648 to 2147483647',
    ],
    ['a decimal that is too large', { price: 1e8 }, 'price: expected at most 8 digits before the point'],
    ['one that is once it is rounded', { price: 99_999_999.999 }, 'price: expected at most 8 digits before the point'],
  ])('ND7: %s is 422 on every database, and names its column', async (_, more, message) => {
    await expect(write('a', more)).rejects.toMatchObject({ status: 422, message })
  })

  test.each<[string, object, object]>([
    ['a text of the longest length', { title: '😀'.repeat(80) }, { title: '😀'.repeat(80) }],
    ['the largest whole number', { words: 2 ** 31 - 1 }, { words: 2 ** 31 - 1 }],
    ['a decimal with more places, rounded', { price: 0.1 + 0.2 }, { price: 0.3 }],
  ])('%s is stored', async (_, more, stored) => {
    expect(await Article.findOne({ where: { id: (await write('a', more)).id } })).toMatchObject(stored)
  })

  describe('with, where and count', () => {
    let first: Article
    beforeEach(async () => {
      first = await write('first')
      const second = await write('second', { authorId: bob.id })
      const [red, blue] = [await Tag.create({ name: 'red' }), await Tag.create({ name: 'blue' })]
      await first.related('tags').attach([blue.id, red.id])
      await second.related('tags').attach([red.id])
      await Comment.create({ body: 'one', authorId: bob.id, articleId: first.id })
      await Comment.create({ body: 'two', authorId: ann.id, articleId: first.id })
      await first.related('fans').attach([bob.id, ann.id])
    })

    test('a relation that is undefined is not loaded, and one that is null is refused', async () => {
      const search = (author: unknown) => Article.findMany({ with: { author, tags: true } as never })
      const [found] = await search(undefined)
      expect({ author: 'author' in (found ?? {}), tags: 'tags' in (found ?? {}) }).toEqual({
        author: false,
        tags: true,
      })
      await expect(search(null)).rejects.toThrow('Article: with.author: expected')
    })

    test('relations of relations are loaded by one statement each', async () => {
      const [articles, sent] = await counted(() =>
        Article.findMany({
          with: { author: true, tags: { orderBy: { name: 'asc' } }, comments: { with: { author: true } } },
          count: ['fans'],
        }),
      )
      expect(
        articles.map((article) => ({
          slug: article.slug,
          author: article.author.username,
          tags: article.tags.map(({ name }) => name),
          comments: article.comments.map(({ body, author }) => `${author.username}: ${body}`),
          fans: article.fansCount,
        })),
      ).toEqual([
        { slug: 'first', author: 'ann', tags: ['blue', 'red'], comments: ['bob: one', 'ann: two'], fans: 2 },
        { slug: 'second', author: 'bob', tags: ['red'], comments: [], fans: 0 },
      ])
      expect(sent).toBe(6)
    })

    test('a thousand records with relations over three levels cost four statements', async () => {
      await Article.createMany(
        Array.from({ length: 1000 }, (_, i) => ({ slug: `m${i}`, title: 'many', authorId: i % 2 ? ann.id : bob.id })),
      )
      const [articles, sent] = await counted(() =>
        Article.findMany({ where: { title: 'many' }, with: { author: { with: { articles: { with: ['tags'] } } } } }),
      )
      expect(articles).toHaveLength(1000)
      expect(articles[0]?.author.articles.find(({ slug }) => slug === 'second')?.tags.map(({ name }) => name)).toEqual([
        'red',
      ])
      expect(sent).toBe(4)
    })

    test('where names relations, at any depth', async () => {
      const slugs = async (where: Parameters<typeof Article.findMany>[0]): Promise<string[]> =>
        (await Article.findMany(where)).map(({ slug }) => slug)
      expect({
        author: await slugs({ where: { author: { username: 'bob' } } }),
        tags: await slugs({ where: { tags: { name: 'blue' } } }),
        both: await slugs({ where: { author: { username: 'ann' }, tags: { name: isIn(['red']) } } }),
        deep: await slugs({ where: { comments: { author: { username: 'bob' } } } }),
        none: await slugs({ where: { tags: { name: 'green' } } }),
      }).toEqual({ author: ['second'], tags: ['first'], both: ['first'], deep: ['first'], none: [] })
      expect(await Article.count({ where: { tags: { name: 'red' } } })).toBe(2)
    })

    test('a condition that comes from outside is refused', async () => {
      const refusal = { status: 422 }
      await expect(Article.findMany({ where: { tags: null as never } })).rejects.toMatchObject(refusal)
      await expect(Article.findMany({ where: { tags: { name: '\0' } } })).rejects.toMatchObject(refusal)
      await expect(Article.findMany({ where: { slug: null as never } })).rejects.toMatchObject(refusal)
    })

    test('a nested where leaves out related records', async () => {
      const found = await Article.findOrFail(first.id, { with: { comments: { where: { authorId: bob.id } } } })
      expect(found.comments.map(({ body }) => body)).toEqual(['one'])
    })

    test('related() finds the records of one record, and no others', async () => {
      const mine = ann.related('articles')
      const other = await Article.findOne({ where: { slug: 'second' } })
      expect((await mine.findMany()).map(({ slug }) => slug)).toEqual(['first'])
      expect(await mine.count()).toBe(1)
      await expect(mine.findOrFail(other?.id ?? 0)).rejects.toMatchObject({ status: 404, message: 'Article not found' })
      await expect(mine.findMany({ where: { authorId: bob.id } })).resolves.toEqual([])
      expect((await mine.create({ slug: 'mine', title: 'Mine' })).authorId).toBe(ann.id)
      expect((await mine.page({ page: 1, limit: 1 })).meta.total).toBe(2)
    })

    test('attach, detach and sync', async () => {
      const tags = first.related('tags')
      const [red = 0, blue = 0] = [
        (await Tag.findOne({ where: { name: 'red' } }))?.id,
        (await Tag.findOne({ where: { name: 'blue' } }))?.id,
      ]
      const green = (await Tag.create({ name: 'green' })).id
      await tags.attach([red, red])
      expect((await tags.ids()).sort()).toEqual([red, blue].sort())
      await tags.sync([green, red])
      expect((await tags.ids()).sort()).toEqual([red, green].sort())
      await tags.detach([red])
      expect(await tags.ids()).toEqual([green])
      await tags.sync([])
      expect(await tags.ids()).toEqual([])
      await expect(tags.attach([999])).rejects.toMatchObject({ status: 422 })
    })

    test.each([undefined, null, '12', { length: 1 }])(
      'attach, detach and sync refuse %j, which is not a list',
      async (ids) => {
        const tags = first.related('tags')
        const before = await tags.ids()
        for (const change of [tags.attach, tags.detach, tags.sync]) {
          await expect(change(ids as never)).rejects.toMatchObject({
            status: 422,
            message: 'tags: expected a list of ids',
          })
        }
        expect(await tags.ids()).toEqual(before)
      },
    )

    test('two syncs at once leave the links of one of them', async () => {
      const [one, two] = [await Tag.create({ name: 'one' }), await Tag.create({ name: 'two' })]
      const tags = first.related('tags')
      for (let round = 0; round < 5; round += 1) {
        await tags.sync([])
        await Promise.all([tags.sync([one.id]), tags.sync([two.id])])
        expect(await tags.ids()).toHaveLength(1)
      }
    })

    test('related() keeps to its record, whatever is asked of it', async () => {
      const author = first.related('author')
      const articles = ann.related('articles')
      const foreign = { where: { authorId: bob.id } }
      const nested = await User.findMany({ where: { id: ann.id }, with: { articles: foreign } })
      expect({
        byId: await author.findOne({ where: { id: bob.id } }),
        articles: await articles.findMany(foreign),
        nested: nested.map((user) => user.articles),
        builder: 'query' in articles,
      }).toEqual({ byId: undefined, articles: [], nested: [[]], builder: false })
      await expect(author.findOrFail(bob.id)).rejects.toMatchObject({ status: 404 })
    })

    test.each([{}, { id: 1 }, { passwordHash: 'secret' }, ['1'], null, undefined])(
      'findOrFail(%j): an id that came as JSON is not a condition',
      async (id) => {
        await expect(User.findOrFail(id as never)).rejects.toMatchObject({ status: 404, message: 'User not found' })
      },
    )

    test('two belongsTo to the same model need names', async () => {
      await ann.related('following').attach([bob.id])
      const found = await User.findOrFail(ann.id, { with: ['following'] })
      expect(found.following.map(({ username }) => username)).toEqual(['bob'])
      class Lost extends Model.define('lost', { follows: t.hasMany(() => Follow) }) {}
      await expect(Lost.findMany({ with: ['follows'] })).rejects.toThrow()
    })
  })

  test('findOrFail: 404 with the name of the model', async () => {
    await expect(Article.findOrFail('abc')).rejects.toMatchObject({ status: 404, message: 'Article not found' })
    await expect(Article.findOneOrFail({ where: { slug: 'none' } })).rejects.toMatchObject({ status: 404 })
  })

  test('soft delete: finders leave deleted records out, withTrashed and onlyTrashed do not', async () => {
    await (await write('a')).delete()
    await write('b')
    const slugs = (list: readonly Article[]): string[] => list.map(({ slug }) => slug)
    expect({
      alive: slugs(await Article.findMany()),
      all: slugs(await Article.withTrashed().findMany()),
      gone: slugs(await Article.onlyTrashed().findMany()),
    }).toEqual({ alive: ['b'], all: ['a', 'b'], gone: ['a'] })
  })

  describe('many at once', () => {
    test('createMany inserts all or none', async () => {
      const rows = Array.from({ length: 2500 }, (_, i) => ({ name: `t${i}` }))
      expect(await Tag.createMany(rows)).toBe(2500)
      await expect(Tag.createMany([{ name: 'new' }, { name: 't1' }])).rejects.toMatchObject({ status: 409 })
      expect(await Tag.count()).toBe(2500)
      expect(await Tag.createMany([])).toBe(0)
    })

    test('updateWhere and deleteWhere need a where, and count what they did', async () => {
      await write('a')
      await write('b', { state: 'live' })
      expect(await Article.updateWhere({ state: 'draft' }, { title: 'new' })).toBe(1)
      expect(await Article.updateWhere({ author: { username: 'ann' } }, { words: 7 })).toBe(2)
      expect((await Article.findMany()).map(({ title, words }) => ({ title, words }))).toEqual([
        { title: 'new', words: 7 },
        { title: 'b', words: 7 },
      ])
      await expect(Article.updateWhere(undefined as never, { title: 'x' })).rejects.toThrow('expected conditions')
      await expect(Article.deleteWhere(null as never)).rejects.toThrow('expected conditions')
      expect(await Article.deleteWhere({ slug: 'a' })).toBe(1)
      expect(await Article.onlyTrashed().count()).toBe(1)
      expect(await Article.deleteWhere({})).toBe(1)
      expect(await Tag.deleteWhere({})).toBe(0)
    })

    test('updateWhere raises the version', async () => {
      const article = await write('a')
      const comment = await Comment.create({ body: 'one', authorId: ann.id, articleId: article.id })
      await Comment.updateWhere({ id: comment.id }, { body: 'two' })
      await expect(comment.update({ body: 'three' })).rejects.toMatchObject({ status: 409 })
    })
  })

  describe('firstOrCreate and upsert', () => {
    test('the record that is there, or a new one', async () => {
      const made = await Tag.firstOrCreate({ name: 'red' })
      expect((await Tag.firstOrCreate({ name: 'red' })).id).toBe(made.id)
      expect(await User.firstOrCreate({ username: 'cid' }, { email: 'c@b.example', passwordHash: 'x' })).toMatchObject({
        username: 'cid',
      })
    })

    test('a key that is not unique is refused', async () => {
      await expect(Article.firstOrCreate({ title: 'a' })).rejects.toThrow(
        'Article.firstOrCreate: expected a unique key (slug), got title',
      )
      await expect(Favorite.firstOrCreate({ userId: ann.id, articleId: (await write('a')).id })).resolves.toBeDefined()
    })

    test('twenty times fifty at once: one record each, and no error', async () => {
      const all = Array.from({ length: 1000 }, (_, i) => Tag.firstOrCreate({ name: `t${i % 50}` }))
      const ids = new Set((await Promise.all(all)).map(({ id }) => id))
      expect({ ids: ids.size, rows: await Tag.count() }).toEqual({ ids: 50, rows: 50 })
    })

    test('twenty transactions at once with the same rows in the same order', async () => {
      await Promise.all(
        Array.from({ length: 20 }, () =>
          transaction(async () => {
            for (const name of ['a', 'b', 'c']) await Tag.firstOrCreate({ name })
          }),
        ),
      )
      expect(await Tag.count()).toBe(3)
    })

    test('upsert inserts, or changes the record of that key', async () => {
      const values = { slug: 'a', title: 'one', authorId: ann.id }
      const made = await Article.upsert(values, { by: ['slug'] })
      const same = await Article.upsert({ ...values, title: 'two' }, { by: ['slug'] })
      const third = await Article.upsert({ ...values, title: 'three' }, { by: ['slug'], update: { words: 3 } })
      expect({
        ids: new Set([made.id, same.id, third.id]).size,
        two: same.title,
        three: third.title,
        words: third.words,
      }).toEqual({
        ids: 1,
        two: 'two',
        three: 'two',
        words: 3,
      })
    })

    test.each([
      ['only the key', { by: ['name'] }],
      ['an empty update', { by: ['name'], update: {} }],
    ] as const)('upsert with %s leaves an existing record as it is', async (_, how) => {
      class Later extends Tag {
        static now = () => new Date('2040-01-01T00:00:00Z')
      }
      const { id, updatedAt } = await Tag.create({ name: 'red' })
      expect(await Later.upsert({ name: 'red' }, how)).toMatchObject({ id, updatedAt })
    })

    test('many upserts of the same rows at once: one record each, and no error', async () => {
      const all = Array.from({ length: 200 }, (_, i) => Tag.upsert({ name: `t${i % 10}` }, { by: ['name'] }))
      const ids = new Set((await Promise.all(all)).map(({ id }) => id))
      expect({ ids: ids.size, rows: await Tag.count() }).toEqual({ ids: 10, rows: 10 })
    })

    test('upsert inserts the values, not those of update', async () => {
      const values = { slug: 'a', title: 'one', authorId: ann.id, words: 1 }
      const made = await Article.upsert(values, { by: ['slug'], update: { words: 2 } })
      const stored = await Article.findOneOrFail({ where: { slug: 'a' } })
      expect({ made: made.words, stored: stored.words }).toEqual({ made: 1, stored: 1 })
    })

    test.each<[string, () => Promise<unknown>, object]>([
      ['null in place of values', () => Tag.upsert(null as never, { by: ['name'] }), { status: 422 }],
      ['no value of the key', () => Tag.upsert({} as never, { by: ['name'] }), { message: 'name: expected a value' }],
      [
        'an option that it does not know',
        () => Tag.upsert({ name: 'x' }, { by: ['name'], updates: {} } as never),
        TypeError,
      ],
      ['no options', () => Tag.upsert({ name: 'x' }, undefined as never), TypeError],
      [
        'a value that no column can have, also if the record exists and is changed otherwise',
        () => User.upsert({ ...person('ann'), bio: 'a\0' }, { by: ['username'], update: { bio: 'b' } }),
        { status: 422, message: 'bio: contains a character that cannot be stored' },
      ],
      ['an id, which the database gives', () => Tag.firstOrCreate({ id: 9 } as never), TypeError],
    ])('upsert and firstOrCreate refuse %s', async (_, run, error) => {
      const failing = expect(run()).rejects
      await (error === TypeError ? failing.toThrow(TypeError) : failing.toMatchObject(error))
      expect(await Tag.count()).toBe(0)
    })

    test('a clash of another key is 409, and a transaction around it goes on', async () => {
      await transaction(async () => {
        const taken = { ...person('ann'), username: 'new' }
        await expect(User.firstOrCreate({ username: 'new' }, taken)).rejects.toMatchObject({ status: 409 })
        await expect(User.upsert(taken, { by: ['username'] })).rejects.toMatchObject({ status: 409 })
        await Tag.create({ name: 'kept' })
      })
      expect(await Tag.count()).toBe(1)
    })
  })

  describe('pages', () => {
    beforeEach(async () => {
      for (const [i, words] of [3, 1, 2, 1, 3, 2, 1].entries()) await write(`s${i}`, { words })
    })

    test('page has totals', async () => {
      const { data, meta } = await Article.page({ page: 2, limit: 3, orderBy: { words: 'desc', id: 'asc' } })
      expect({ slugs: data.map(({ slug }) => slug), meta }).toEqual({
        slugs: ['s5', 's1', 's3'],
        meta: { page: 2, limit: 3, total: 7, totalPages: 3 },
      })
      await expect(Article.page({ page: 0, limit: 1 })).rejects.toMatchObject({ status: 400 })
      await expect(Article.page({ page: 1, limit: 1.5 })).rejects.toMatchObject({ status: 400 })
    })

    test.each<[string, object | undefined, string[]]>([
      ['by id', undefined, ['s0', 's1', 's2', 's3', 's4', 's5', 's6']],
      ['by words, the most first', { words: 'desc' }, ['s4', 's0', 's5', 's2', 's6', 's3', 's1']],
      ['by words, then the other way by id', { words: 'asc', id: 'desc' }, ['s6', 's3', 's1', 's5', 's2', 's4', 's0']],
      ['by time', { createdAt: 'asc' }, ['s0', 's1', 's2', 's3', 's4', 's5', 's6']],
    ])('after follows a cursor %s', async (_, orderBy, expected) => {
      for (const limit of [1, 2, 3, 7, 10]) {
        const seen: string[] = []
        let next: string | null | undefined
        do {
          const found = await Article.after(next ?? undefined, { limit, ...(orderBy && { orderBy }), with: ['author'] })
          seen.push(...found.data.map(({ slug }) => slug))
          next = found.meta.next
        } while (next)
        expect(seen).toEqual(expected)
      }
    })

    test.each([
      'x',
      '',
      'W10',
      Buffer.from('["x"]').toString('base64url'),
      Buffer.from('[{"a":1}]').toString('base64url'),
    ])('a cursor that was made up (%s) is 400', async (cursor) => {
      await expect(Article.after(cursor, { limit: 1 })).rejects.toMatchObject({ status: 400 })
    })

    test('after refuses a column that may be null', async () => {
      await expect(Article.after(undefined, { limit: 1, orderBy: { price: 'asc' } })).rejects.toThrow('never null')
    })

    test('stream gives all records in batches, with relations', async () => {
      const seen: string[] = []
      const [, sent] = await counted(async () => {
        for await (const { slug, author } of Article.stream({
          batch: 3,
          with: ['author'],
          where: { words: isIn([1, 2, 3]) },
        })) {
          seen.push(`${author.username} ${slug}`)
        }
      })
      expect({ seen, sent }).toEqual({ seen: Array.from({ length: 7 }, (_, i) => `ann s${i}`), sent: 6 })
    })
  })

  test('a lock needs a transaction, and keeps others out', async () => {
    const article = await write('a')
    await expect(Article.findOne({ lock: true })).rejects.toThrow('expected to run inside transaction()')
    const order: string[] = []
    await Promise.all(
      Array.from({ length: 5 }, () =>
        transaction(async () => {
          const { words } = await Article.findOrFail(article.id, { lock: true })
          await new Promise((resolve) => setTimeout(resolve, 2))
          await Article.updateWhere({ id: article.id }, { words: words + 1 })
          order.push('done')
        }),
      ),
    )
    expect((await Article.findOrFail(article.id)).words).toBe(5)
  })

  if (bench.dialect !== 'sqlite') {
    test("the lock 'skip' leaves out what another transaction has locked", async () => {
      const [held, free] = [await write('a'), await write('b')]
      let [locked, release] = [() => {}, () => {}]
      const isLocked = new Promise<void>((resolve) => (locked = resolve))
      const isOver = new Promise<void>((resolve) => (release = resolve))
      const holding = transaction(async () => {
        await Article.findOrFail(held.id, { lock: true })
        locked()
        await isOver
      })
      await isLocked
      const found = await transaction(() => Article.findMany({ lock: 'skip' }))
      release()
      await holding
      expect(found.map(({ id }) => id)).toEqual([free.id])
    })
  }

  test('names that a method does not know are refused', async () => {
    await expect(Article.findMany({ wher: {} } as never)).rejects.toThrow('Article.findMany: wher: unknown option')
    await expect(Article.findMany({ with: ['nothing'] as never })).rejects.toThrow("Article has no relation 'nothing'")
    await expect(Article.findMany({ where: { titel: 'x' } as never })).rejects.toThrow("Article has no column 'titel'")
  })
})
