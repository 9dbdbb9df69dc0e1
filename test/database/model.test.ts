import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  closeDatabase,
  createDatabase,
  isIn,
  isNull,
  like,
  Model,
  not,
  setDatabase,
  transaction,
  useDatabase,
} from '../../src/database.ts'
import { describeDatabases } from './databases.ts'

let now = new Date('2026-11-21T10:00:00.123Z')

class Post extends Model {
  static tableName = 'blog_posts'
  static timestamps = true
  static softDelete = true
  static columns = {
    title: 'string',
    readCount: 'number',
    isPublic: 'boolean',
    tags: 'json',
    publishedAt: 'date',
    price: 'number',
    image: 'bytes',
    author: 'email',
  } as const
  static now = () => now
  id!: number
  title!: string
  readCount!: number
  isPublic!: boolean | null
  tags!: unknown
  publishedAt!: Date | null
  price!: number | null
  image!: Uint8Array | null
  author!: string | null
  createdAt!: Date
  updatedAt!: Date
  deletedAt?: Date
}

const TOO_LARGE: [string, object, number] = [
  'a number that the column cannot hold',
  { title: 'x', readCount: 99999999999 },
  422,
]

/** As a generator writes it: no columns, no timestamps. */
class Plain extends Model {
  static tableName = 'plains'
  declare id: number
}

describeDatabases('G20: the model', (bench) => {
  beforeAll(async () => {
    setDatabase(bench.db)
    const { schema } = bench.db
    await schema
      .createTable('blog_posts')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('title', 'varchar(255)', (column) => column.notNull().unique())
      .addColumn('read_count', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('is_public', 'boolean')
      .addColumn('tags', 'json')
      .addColumn('published_at', 'datetime(3)')
      .addColumn('price', 'decimal(8, 2)')
      .addColumn('image', 'blob')
      .addColumn('author', 'varchar(255)')
      .addColumn('secret', 'varchar(20)', (column) => column.defaultTo('hidden'))
      .addColumn('created_at', 'datetime(3)', (column) => column.notNull())
      .addColumn('updated_at', 'datetime(3)', (column) => column.notNull())
      .addColumn('deleted_at', 'datetime(3)')
      .execute()
    await schema
      .createTable('plains')
      .addColumn('id', 'bigint', (column) => column.primaryKey().autoIncrement())
      .execute()
      .catch(async () => {
        // SQLite counts up only a column that is an INTEGER to the letter.
        await schema
          .createTable('plains')
          .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
          .execute()
      })
  })
  beforeEach(async () => {
    setDatabase(bench.db)
    now = new Date('2026-11-21T10:00:00.123Z')
    await bench.db.deleteFrom('blog_posts').execute()
  })

  test('every kind of value is read back unchanged', async () => {
    const values = {
      title: 'Grüße, 世界 🎉',
      readCount: 7,
      isPublic: true,
      tags: ['a', { deep_key: { nestedKey: null } }],
      publishedAt: new Date('2020-02-29T23:59:59.999Z'),
      price: 12.5,
      image: new Uint8Array([0, 1, 255]),
      author: 'ada@example.com',
    }
    const post = await Post.create(values)
    for (const found of [post, await Post.findById(post.id)]) {
      const { image, ...rest } = found ?? post
      const { image: _, ...expected } = values
      expect(rest).toMatchObject({ ...expected, createdAt: now, updatedAt: now })
      expect([...(image ?? [])]).toEqual([0, 1, 255])
      expect(found).toBeInstanceOf(Post)
      expect(found?.createdAt).toBeInstanceOf(Date)
    }
    expect(await post.update({ isPublic: false, tags: 'text', readCount: 0 })).toMatchObject({
      isPublic: false,
      tags: 'text',
    })
    expect(await post.update({ tags: null, isPublic: null, publishedAt: null })).toMatchObject({
      tags: null,
      isPublic: null,
    })
  })

  test('an address is normalized wherever it is written or looked for', async () => {
    const post = await Post.create({ title: 'one', author: '  ADA@Example.COM\n' })
    expect(post.author).toBe('ada@example.com')
    const { rows } = await sql<{ author: string }>`select author from blog_posts`.execute(bench.db)
    expect(rows).toEqual([{ author: 'ada@example.com' }])
    for (const where of [
      { author: ' Ada@example.com' },
      { author: isIn(['ADA@EXAMPLE.COM']) },
      { author: like('ADA@%') },
    ])
      expect(await Post.count({ where })).toBe(1)
    expect(await Post.count({ where: { author: not('ADA@example.com') } })).toBe(0)
    expect(await post.update({ author: 'Bob@example.com' })).toMatchObject({ author: 'bob@example.com' })
    expect(await post.update({ author: null })).toMatchObject({ author: null })
    await expect(Post.create({ title: 'two', author: {} as string })).rejects.toMatchObject({
      status: 422,
      message: 'author: expected a string',
    })
  })

  test('dates are stored in UTC, whatever writes and reads them', async () => {
    const { id } = await Post.create({ title: 'utc' })
    const text =
      bench.dialect === 'postgres'
        ? sql<string>`to_char(created_at at time zone 'UTC', 'HH24:MI:SS.MS')`
        : sql<string>`created_at`
    const { rows } = await sql<{ at: unknown }>`select ${text} as at from blog_posts where id = ${id}`.execute(bench.db)
    const at = rows[0]?.at
    expect(at instanceof Date ? at.toISOString() : String(at)).toContain('10:00:00.123')
  })

  test('timestamps are set on create, and only updatedAt on update', async () => {
    const post = await Post.create({ title: 'one' })
    const created = now
    now = new Date('2026-11-22T10:00:00.456Z')
    await post.update({ title: 'two' })
    expect({ createdAt: post.createdAt, updatedAt: post.updatedAt }).toEqual({ createdAt: created, updatedAt: now })
  })

  test('an update without a declared column writes nothing, not even updatedAt', async () => {
    const post = await Post.create({ title: 'one' })
    now = new Date('2026-11-22T10:00:00.456Z')
    await post.update({ nonsense: 1 } as never)
    expect(post.updatedAt).toEqual(post.createdAt)
  })

  test.each([
    ['id', 4242],
    ['createdAt', new Date(0)],
    ['updatedAt', new Date(0)],
    ['deletedAt', new Date(0)],
    ['secret', 'stolen'],
    ['created_at', new Date(0)],
    ['blog_posts.secret', 'stolen'],
    ['__proto__', { title: 'polluted' }],
    ['constructor', 'x'],
    ['toString', 'x'],
  ])('mass assignment of %s is passed over', async (name, value) => {
    const values = JSON.parse(`{"title":"kept",${JSON.stringify(name)}:${JSON.stringify(value)}}`)
    const post = await Post.create(values)
    const before = await bench.db.selectFrom('blog_posts').selectAll().executeTakeFirstOrThrow()
    expect(post).toMatchObject({ title: 'kept', createdAt: now, updatedAt: now })
    expect(before).toMatchObject({ secret: 'hidden', title: 'kept', deletedAt: null, id: post.id })
    expect(post.id).not.toBe(4242)
    await post.update(values)
    expect(await bench.db.selectFrom('blog_posts').selectAll().executeTakeFirstOrThrow()).toMatchObject({
      secret: 'hidden',
      deletedAt: null,
      id: post.id,
    })
    expect('polluted' in {}).toBe(false)
  })

  test('columns that are not declared are not read', async () => {
    const post = await Post.create({ title: 'one' })
    expect('secret' in post).toBe(false)
    expect(JSON.stringify(post)).not.toContain('hidden')
  })

  test('toJSON omits properties without a value', async () => {
    const json = JSON.parse(JSON.stringify(await Post.create({ title: 'one', isPublic: true })))
    expect(json).toMatchObject({ title: 'one', isPublic: true, createdAt: now.toISOString(), readCount: 0 })
    expect(typeof json.id).toBe('number')
  })

  describe('finding', () => {
    beforeEach(async () => {
      for (const [index, title] of ['a', 'b', 'c', 'd', 'e'].entries()) {
        await Post.create({ title, readCount: index, isPublic: index % 2 === 0, price: index > 2 ? null : index })
      }
    })
    const titles = async (found: Promise<Post[]>): Promise<string> => (await found).map(({ title }) => title).join('')

    const all = 'expected one of where, orderBy, limit, offset, with'
    test.each<[string, () => Promise<unknown>, string]>([
      ['count', () => Post.count({ author: 0 } as never), `Post.count: author: unknown option, ${all}`],
      ['count', () => Post.count({ wher: {} } as never), 'Post.count: wher: unknown option, did you mean "where"?'],
      ['findMany', () => Post.findMany({ author: 'a' } as never), `Post.findMany: author: unknown option, ${all}`],
      [
        'findOne',
        () => Post.findOne({ author: 'a' } as never),
        'Post.findOne: author: unknown option, expected one of',
      ],
      ['findOne', () => Post.findOne({ offset: 1 } as never), 'Post.findOne: offset: unknown option, expected one of'],
      ['findById', () => Post.findById(1, { where: {} } as never), 'Post.findById: where: unknown option'],
      ['onlyTrashed', () => Post.onlyTrashed().count({ title: 'a' } as never), 'Post.count: title: unknown option'],
      ['null', () => Post.findMany(null as never), 'Post.findMany: expected an object of options, got null'],
    ])('%s refuses options that it does not know', async (_, find, refused) => {
      await expect(find()).rejects.toThrow(new TypeError(refused).message)
    })

    test('the options of a page count all its records', async () => {
      expect(
        await Post.count({ where: { isPublic: true }, orderBy: { id: 'asc' }, limit: 1, offset: 1 } as never),
      ).toBe(3)
    })

    test.each<[string, Parameters<typeof Post.findMany<Post>>[0], string]>([
      ['everything, in the order of ids', undefined, 'abcde'],
      ['by one value', { where: { title: 'b' } }, 'b'],
      ['by a boolean', { where: { isPublic: true } }, 'ace'],
      ['by a list', { where: { title: isIn(['a', 'e', 'x']) } }, 'ae'],
      ['by an empty list', { where: { title: isIn([]) } }, ''],
      ['by null', { where: { price: isNull } }, 'de'],
      ['by two columns', { where: { isPublic: true, price: isNull } }, 'e'],
      ['by a date', { where: { createdAt: new Date('2026-11-21T10:00:00.123Z') } }, 'abcde'],
      ['limited', { limit: 2 }, 'ab'],
      ['limited to none', { limit: 0 }, ''],
      ['from an offset', { offset: 3 }, 'de'],
      ['a page', { limit: 2, offset: 2 }, 'cd'],
      ['beyond the end', { limit: 2, offset: 20 }, ''],
      ['ordered', { orderBy: { title: 'desc' } }, 'edcba'],
      ['ordered by two', { orderBy: { isPublic: 'desc', title: 'desc' } }, 'ecadb'],
    ])('findMany: %s', async (_, options, expected) => {
      expect(await titles(Post.findMany(options))).toBe(expected)
    })

    test('findOne gives the first or undefined', async () => {
      expect((await Post.findOne({ orderBy: { title: 'desc' } }))?.title).toBe('e')
      expect(await Post.findOne({ where: { title: 'x' } })).toBeUndefined()
    })

    test('count counts what findMany would find', async () => {
      expect({ all: await Post.count(), public: await Post.count({ where: { isPublic: true } }) }).toEqual({
        all: 5,
        public: 3,
      })
    })

    test.each([
      'abc',
      '',
      '1abc',
      '0',
      '-1',
      '1.5',
      '1e3',
      ' 1',
      '0x1',
      '٣',
      '99999999999999999999',
      '9223372036854775808',
      '1;',
      "1'",
    ])('G10: findById(%j) is undefined, not an error', async (id) => {
      expect(await Post.findById(id)).toBeUndefined()
    })

    test.each([2147483648, 9007199254740991, '9223372036854775807', 3n, Number.NaN, 1.5, Number.POSITIVE_INFINITY])(
      'findById(%s), an id that no integer column holds, is undefined',
      async (id) => {
        expect(await Post.findById(id === 3n ? 4_000_000_000n : id)).toBeUndefined()
      },
    )

    test('findById accepts a number and a path parameter', async () => {
      const { id } = await Post.create({ title: 'x' })
      expect((await Post.findById(id))?.title).toBe('x')
      expect((await Post.findById(String(id)))?.title).toBe('x')
    })

    test('query gives the Kysely builder, with values as the model shows them', async () => {
      const rows = await Post.query().where('readCount', '>', 2).orderBy('title', 'desc').execute()
      expect(rows.map(({ title, isPublic, createdAt }) => ({ title, isPublic, createdAt }))).toEqual([
        { title: 'e', isPublic: true, createdAt: now },
        { title: 'd', isPublic: false, createdAt: now },
      ])
    })

    test.each<[string, () => Promise<unknown>, string]>([
      [
        'a column that is not declared',
        () => Post.findMany({ where: { secret: 'x' } as never }),
        "where: Post has no column 'secret'",
      ],
      ['undefined', () => Post.findMany({ where: { title: undefined } as never }), 'title: expected a string'],
      [
        'a prototype key',
        () => Post.findMany({ where: JSON.parse('{"__proto__":1}') }),
        "where: Post has no column '__proto__'",
      ],
      [
        'an order by something else',
        () => Post.findMany({ orderBy: { secret: 'asc' } as never }),
        "orderBy: Post has no column 'secret'",
      ],
      [
        'an order in no direction',
        () => Post.findMany({ orderBy: { title: 'asc; drop' } as never }),
        "orderBy.title: expected 'asc' or 'desc'",
      ],
      ['a negative limit', () => Post.findMany({ limit: -1 }), 'limit: expected a whole number of at least 0, got -1'],
      [
        'an offset that is not a number',
        () => Post.findMany({ offset: Number.NaN }),
        'offset: expected a whole number',
      ],
      ['half a limit', () => Post.findMany({ limit: 1.5 }), 'limit: expected a whole number'],
    ])('is refused for %s', async (_, find, message) => {
      await expect(find()).rejects.toThrow(message)
    })
  })

  describe('soft delete', () => {
    test('hides the record, keeps the row, and restore brings it back', async () => {
      const post = await Post.create({ title: 'one' })
      const other = await Post.create({ title: 'two' })
      await post.delete()
      expect(post.deletedAt).toEqual(now)
      expect(await Post.findById(post.id)).toBeUndefined()
      expect(await Post.count()).toBe(1)
      expect(await Post.query().execute()).toHaveLength(1)
      expect((await Post.withTrashed().findMany()).map(({ id }) => id)).toEqual([post.id, other.id])
      expect((await Post.onlyTrashed().findMany()).map(({ id }) => id)).toEqual([post.id])
      expect((await Post.onlyTrashed().findById(post.id))?.deletedAt).toEqual(now)
      await post.restore()
      expect(post.deletedAt ?? undefined).toBeUndefined()
      expect(await Post.count()).toBe(2)
      expect(await Post.onlyTrashed().count()).toBe(0)
    })

    test('a record that is not deleted has no deletedAt at all in JSON', async () => {
      const post = await Post.create({ title: 'one' })
      expect(post.deletedAt).toBeUndefined()
      expect(JSON.stringify(post)).not.toContain('deletedAt')
      await post.update({ title: 'two' })
      await post.delete()
      expect(JSON.stringify(post)).toContain('deletedAt')
      await post.restore()
      expect(JSON.stringify(post)).not.toContain('deletedAt')
    })

    test('forceDelete removes the row, and once more is no error', async () => {
      const post = await Post.create({ title: 'one' })
      await post.forceDelete()
      await post.forceDelete()
      expect(await Post.withTrashed().count()).toBe(0)
    })
  })

  describe('errors that a client can cause', () => {
    test.each<[string, object, number]>([
      ['an object for a string', { title: { $ne: 1 } }, 422],
      ['a list for a string', { title: ['a'] }, 422],
      ['text for a number', { title: 'x', readCount: 'many' }, 422],
      // SQLite stores whole numbers of 64 bits in any column.
      ...(bench.dialect === 'sqlite' ? [] : [TOO_LARGE]),
      ['text for a boolean', { title: 'x', isPublic: 'perhaps' }, 422],
      ['text for a date', { title: 'x', publishedAt: 'tomorrow' }, 422],
      ['February 30', { title: 'x', publishedAt: '2026-02-30' }, 422],
      ['a time on April 31', { title: 'x', publishedAt: '2026-04-31T10:00:00Z' }, 422],
      ['a year that no database stores', { title: 'x', publishedAt: '+010000-01-01T00:00:00Z' }, 422],
      ['no title', { readCount: 1 }, 422],
      ['null for a title', { title: null }, 422],
      ['a title that is taken', { title: 'taken' }, 409],
    ])('%s is answered with the status of a client error', async (_, values, status) => {
      await Post.create({ title: 'taken' })
      await expect(Post.create(values as never)).rejects.toMatchObject({ name: 'HttpError', status })
    })

    test('U+0000 is refused as a client error, in a value and in a condition', async () => {
      await expect(Post.create({ title: 'nul\0byte' })).rejects.toMatchObject({ status: 422 })
      await expect(Post.findOne({ where: { title: 'nul\0byte' } })).rejects.toMatchObject({ status: 422 })
    })

    test('text of forms becomes numbers and booleans', async () => {
      const values = { title: 5, readCount: '12', isPublic: 'true', publishedAt: '2026-01-02' }
      expect(await Post.create(values as never)).toMatchObject({
        title: '5',
        readCount: 12,
        isPublic: true,
        publishedAt: new Date('2026-01-02'),
      })
    })

    test('a deleted record is a 404 when it is updated', async () => {
      const post = await Post.create({ title: 'one' })
      await bench.db.deleteFrom('blog_posts').execute()
      await expect(post.update({ title: 'two' })).rejects.toMatchObject({ status: 404, message: 'Post not found' })
      await expect(post.delete()).rejects.toMatchObject({ status: 404 })
    })
  })

  describe('a model without columns and timestamps', () => {
    test('creates, finds and deletes', async () => {
      const plain = await Plain.create({})
      expect(typeof plain.id).toBe('number')
      expect(JSON.stringify(plain)).toBe(`{"id":${plain.id}}`)
      expect((await Plain.findById(plain.id))?.id).toBe(plain.id)
      await plain.delete()
      expect(await Plain.findById(plain.id)).toBeUndefined()
      await expect(plain.restore()).rejects.toThrow('Plain has no softDelete')
    })

    test('an id beyond the safe integers keeps its digits', async () => {
      await sql`insert into plains (id) values (9007199254740993)`.execute(bench.db)
      const plain = await Plain.findById('9007199254740993')
      expect(String(plain?.id)).toBe('9007199254740993')
      await plain?.delete()
      expect(await Plain.findById('9007199254740993')).toBeUndefined()
    })
  })

  describe('transaction', () => {
    test('takes models along and rolls them back on a throw', async () => {
      const failing = transaction(async () => {
        await Post.create({ title: 'one' })
        expect(await Post.count()).toBe(1)
        await transaction(async () => void (await Post.create({ title: 'two' })))
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      expect(await Post.count()).toBe(0)
    })

    test('gives back what the work gives, and commits', async () => {
      const title = await transaction(async (db) => {
        expect(db).toBe(useDatabase())
        return (await Post.create({ title: 'one' })).title
      })
      expect(title).toBe('one')
      expect(await Post.count()).toBe(1)
    })

    test('work that goes on after the end is refused, and says why', async () => {
      const late: Promise<unknown>[] = []
      await transaction(async (inner) => {
        await Post.create({ title: 'one' })
        const goOn = new Promise((resolve) => setTimeout(resolve, 20))
        late.push(goOn.then(() => Post.create({ title: 'a model' })))
        late.push(goOn.then(() => transaction(() => Post.create({ title: 'in another' }))))
        late.push(goOn.then(() => bench.db.selectFrom('posts').selectAll().execute()))
        late.push(goOn.then(() => inner.selectFrom('posts').selectAll().execute()))
      })
      const reasons = (await Promise.allSettled(late)).map((each) => each.status === 'rejected' && `${each.reason}`)
      const over =
        'Error: The transaction is over, and accepts no more statements: await this work inside it, or start it when it has ended'
      expect(reasons.slice(0, 3)).toEqual([over, over, over])
      expect(reasons[3]).toContain('committed')
      expect((await Post.findMany()).map(({ title }) => title)).toEqual(['one'])
    })

    test('work that goes on after a failure writes nothing: others of Promise.all, in which one failed', async () => {
      const late: unknown[] = []
      const others = async (): Promise<void> => {
        await Post.create({ title: 'one' })
        fail()
        // While it is rolled back, and later
        for (let times = 0; times < 20; times++) {
          await new Promise(setImmediate)
          const given = [Post.create({ title: 'later' }), transaction(() => Post.create({ title: 'in another' }))]
          for (const { status } of await Promise.allSettled(given)) late.push(status)
        }
      }
      let fail = (): void => {}
      const failed = new Promise<never>((_, reject) => {
        fail = () => reject(new Error('no'))
      })
      let all: Promise<void> | undefined
      const failing = transaction(() => {
        all = others()
        return Promise.all([all, failed])
      })
      await expect(failing).rejects.toThrow('no')
      await all
      expect(new Set(late)).toEqual(new Set(['rejected']))
      expect(await Post.count()).toBe(0)
    })

    test('twenty at once all commit', async () => {
      await Promise.all(
        Array.from({ length: 20 }, (_, i) => transaction(async () => void (await Post.create({ title: `t${i}` })))),
      )
      expect(await Post.count()).toBe(20)
    })
  })
})

describe('a model that cannot be one', () => {
  class NoTable extends Model {
    static tableName = ''
  }
  class Hiding extends Model {
    static tableName = 't'
    static columns = { delete: 'string' } as const
  }
  class OddKind extends Model {
    static tableName = 't'
    static columns = { a: 'strange' as 'string' }
  }
  class Snake extends Model {
    static tableName = 't'
    static columns = { first_name: 'string' } as const
  }
  class Shouting extends Model {
    static tableName = 't'
    static columns = { homeURL: 'string' } as const
  }
  class Odd extends Model {
    static tableName = 't'
    static columns = { 'a"b': 'string' } as const
  }

  test.each<[string, () => Promise<unknown>, string]>([
    ['no table', () => NoTable.findMany(), 'NoTable.tableName: expected the name of a table'],
    ['a column that hides a method', () => Hiding.findMany(), "Hiding.columns: 'delete' cannot be a column"],
    ['an unknown kind', () => OddKind.findMany(), "OddKind.columns.a: unknown kind 'strange'"],
    [
      'a name in snake_case',
      () => Snake.findMany(),
      "Snake.columns: 'first_name' cannot be a column, which is named in camelCase",
    ],
    [
      'a name that would come back as another',
      () => Shouting.findMany(),
      "Shouting.columns: 'homeURL' cannot be a column",
    ],
    ['a name with a quote', () => Odd.findMany(), `Odd.columns: 'a"b' cannot be a column`],
  ])('%s is said at its first use', async (_, find, message) => {
    setDatabase(createDatabase('sqlite::memory:'))
    await expect(find()).rejects.toThrow(message)
    await closeDatabase()
  })

  test('a record that was made by hand has no id to update', async () => {
    class User extends Model {
      static tableName = 'users'
      id!: number
    }
    await expect(new User().update({})).rejects.toThrow('User has no id')
  })

  test('without a database, the message says what to call', async () => {
    await closeDatabase()
    expect(() => useDatabase()).toThrow('No database: call setDatabase(createDatabase(url)) first')
  })
})
