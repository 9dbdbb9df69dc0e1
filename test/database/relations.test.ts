import { beforeAll, beforeEach, expect, test } from 'vitest'
import { createDatabase, type Database, Model, setDatabase, t } from '../../src/database.ts'
import { describeDatabases } from './databases.ts'

class Author extends Model.define(
  'authors',
  { name: t.string(80), books: t.hasMany(() => Book, 'author'), profile: t.hasOne(() => Profile) },
  { timestamps: false },
) {}

class Profile extends Model.define(
  'profiles',
  { text: t.string(80), author: t.belongsTo(() => Author) },
  { timestamps: false },
) {}

class Book extends Model.define(
  'books',
  {
    title: t.string(80),
    author: t.belongsTo(() => Author).nullable(),
    editor: t.belongsTo(() => Author).nullable(),
  },
  { timestamps: false, softDelete: true },
) {}

/** A model of the same table whose relations cannot be found. */
class WrongAuthor extends Model.define(
  'authors',
  {
    unnamed: t.hasMany(() => TwoWays),
    missing: t.hasOne(() => Profile),
    unknown: t.hasMany(() => Book, 'publisher'),
    column: t.hasMany(() => Book, 'title'),
  },
  { timestamps: false },
) {}

class TwoWays extends Model.define('books', {
  author: t.belongsTo(() => WrongAuthor),
  editor: t.belongsTo(() => WrongAuthor),
}) {}

describeDatabases('relations of a model', (bench) => {
  let db: Database
  let statements: string[] = []
  beforeAll(async () => {
    const { schema } = bench.db
    const table = (name: string) =>
      schema.createTable(name).addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    await table('authors').addColumn('name', 'varchar(80)').execute()
    await table('profiles').addColumn('text', 'varchar(80)').addColumn('author_id', 'integer').execute()
    await table('books')
      .addColumn('title', 'varchar(80)')
      .addColumn('author_id', 'integer')
      .addColumn('editor_id', 'integer')
      .addColumn('deleted_at', 'datetime(3)')
      .execute()
    const log = ({ sql }: { sql: string }): void => void statements.push(sql)
    db = createDatabase({ url: bench.url, log })
    return () => db.destroy()
  })
  let [ada, ben]: Author[] = []
  beforeEach(async () => {
    setDatabase(db)
    for (const table of ['books', 'profiles', 'authors']) await db.deleteFrom(table).execute()
    ;[ada, ben] = [await Author.create({ name: 'Ada' }), await Author.create({ name: 'Ben' })]
    await Author.create({ name: 'Cem' })
    await Book.create({ title: 'one', authorId: ada.id, editorId: ben.id })
    await Book.create({ title: 'two', authorId: ada.id, editorId: null })
    await Book.create({ title: 'three', authorId: ben.id, editorId: ada.id })
    await Book.create({ title: 'four', authorId: null, editorId: 4242 })
    await Profile.create({ authorId: ada.id, text: 'first' })
    await Profile.create({ authorId: ada.id, text: 'second' })
    statements = []
  })

  test('belongsTo: the record, undefined for null and for an id without a record', async () => {
    const books = await Book.findMany({ with: ['author', 'editor'] })
    expect(books.map(({ title, author, editor }) => ({ title, author: author?.name, editor: editor?.name }))).toEqual([
      { title: 'one', author: 'Ada', editor: 'Ben' },
      { title: 'two', author: 'Ada', editor: undefined },
      { title: 'three', author: 'Ben', editor: 'Ada' },
      { title: 'four', author: undefined, editor: undefined },
    ])
    expect(books[0]?.author).toBeInstanceOf(Author)
    expect(statements).toHaveLength(3)
  })

  test('hasMany: a list in the order of ids, empty if there is none', async () => {
    const authors = await Author.findMany({ with: ['books'] })
    expect(authors.map(({ name, books }) => ({ name, books: books.map(({ title }) => title) }))).toEqual([
      { name: 'Ada', books: ['one', 'two'] },
      { name: 'Ben', books: ['three'] },
      { name: 'Cem', books: [] },
    ])
    expect(statements).toHaveLength(2)
  })

  test('hasOne: the first by id, or undefined', async () => {
    const authors = await Author.findMany({ with: ['profile'] })
    expect(authors.map(({ profile }) => profile?.text)).toEqual(['first', undefined, undefined])
  })

  test.each([1, 10, 300])('%d records cost as many statements as one: no N+1', async (count) => {
    await Book.createMany(Array.from({ length: count }, (_, at) => ({ title: `t${at}`, authorId: ben?.id ?? 0 })))
    statements = []
    const books = await Book.findMany({ with: ['author'] })
    expect(books).toHaveLength(count + 4)
    expect(statements).toHaveLength(2)
    statements = []
    expect((await Author.findMany({ with: ['books'] })).flatMap(({ books }) => books)).toHaveLength(count + 3)
    expect(statements).toHaveLength(2)
  })

  test('without an id to look for, no statement is sent', async () => {
    await Book.findMany({ where: { title: 'nothing' }, with: ['author', 'editor'] })
    expect(statements).toHaveLength(1)
    await Book.findMany({ where: { title: 'two' }, with: ['editor'] })
    expect(statements).toHaveLength(2)
  })

  test('without with, nothing is loaded', async () => {
    const [book] = await Book.findMany()
    expect(book).not.toHaveProperty('author')
    expect(statements).toHaveLength(1)
  })

  test('findOne and findById load relations too', async () => {
    expect((await Author.findOne({ where: { name: 'Ada' }, with: ['books', 'profile'] }))?.books).toHaveLength(2)
    const found = await Author.findById(ben?.id ?? 0, { with: ['books'] })
    expect(found?.books.map(({ title }) => title)).toEqual(['three'])
    expect(await Author.findById('abc', { with: ['books'] })).toBeUndefined()
  })

  test('a soft-deleted record is not found through a relation, and its own relations are', async () => {
    await (await Book.findOneOrFail({ where: { title: 'one' } })).delete()
    const author = await Author.findOneOrFail({ where: { name: 'Ada' }, with: ['books'] })
    expect(author.books.map(({ title }) => title)).toEqual(['two'])
    const [gone] = await Book.onlyTrashed().findMany({ with: ['author'] })
    expect(gone?.author?.name).toBe('Ada')
  })

  test('JSON contains loaded relations, and update does not write them', async () => {
    const book = await Book.findOneOrFail({ where: { title: 'one' }, with: ['author'] })
    expect(JSON.parse(JSON.stringify(book))).toMatchObject({ title: 'one', author: { name: 'Ada' } })
    await book.update({ title: 'uno', author: { name: 'Eve' } } as never)
    expect(book.author?.name).toBe('Ada')
    expect((await Author.findById(ada?.id ?? 0))?.name).toBe('Ada')
  })

  test.each<[string, unknown, string]>([
    ['a name that is no relation', ['nobody'], "with: Book has no relation 'nobody'"],
    ['a column', ['title'], "with: Book has no relation 'title'"],
    ['a name of every object', ['constructor'], "with: Book has no relation 'constructor'"],
    ['a prototype', ['__proto__'], "with: Book has no relation '__proto__'"],
    ['text in place of a list', 'author', 'with: expected a list of relations, got "author"'],
    ['an object of other names', { 0: 'author' }, 'Book: with.0: expected an object of options'],
  ])('with: %s is refused', async (_, names, message) => {
    await expect(Book.findMany({ with: names as never })).rejects.toThrow(message)
  })

  test('with: a plain class has no relations', async () => {
    class Plain extends Model {
      static tableName = 'books'
    }
    await expect(Plain.findMany({ with: ['author'] } as never)).rejects.toThrow("Plain has no relation 'author'")
  })

  test.each([
    ['unnamed', 'WrongAuthor.unnamed: TwoWays has 2 (author, editor): name one'],
    ['missing', 'WrongAuthor.missing: Profile has no belongsTo(() => WrongAuthor)'],
    ['unknown', "WrongAuthor.unknown: Book has no belongsTo 'publisher'"],
    ['column', "WrongAuthor.column: Book has no belongsTo 'title'"],
  ] as const)(
    'a relation without one belongsTo that leads back, %s, is refused when it is used',
    async (name, message) => {
      await expect(WrongAuthor.findMany({ with: [name] })).rejects.toThrow(message)
    },
  )
})
