import { beforeAll, beforeEach, expect, test } from 'vitest'
import { belongsTo, createDatabase, type Database, hasMany, hasOne, Model, setDatabase } from '../../src/database.ts'
import { describeDatabases } from './databases.ts'

class Author extends Model {
  static tableName = 'authors'
  static columns = { name: 'string' } as const
  static relations = {
    books: hasMany(() => Book, 'authorId'),
    profile: hasOne(() => Profile, 'authorId'),
  }
  id!: number
  name!: string
}

class Profile extends Model {
  static tableName = 'profiles'
  static columns = { authorId: 'number', text: 'string' } as const
  id!: number
  authorId!: number
  text!: string
}

class Book extends Model {
  static tableName = 'books'
  static softDelete = true
  static columns = { title: 'string', authorId: 'number', editorId: 'number' } as const
  static relations = {
    author: belongsTo(() => Author, 'authorId'),
    editor: belongsTo(() => Author, 'editorId'),
  }
  id!: number
  title!: string
  authorId!: number | null
  editorId!: number | null
  deletedAt?: Date
}

/** Each relation of this model is wrong in its own way. */
class Odd extends Model {
  static tableName = 'books'
  static columns = { title: 'string' } as const
  static relations = {
    author: belongsTo(() => Author, 'authorId'),
    covers: hasMany(() => Profile, 'nothing' as 'text'),
    title: belongsTo(() => Author, 'title'),
    update: belongsTo(() => Author, 'title'),
  }
  id!: number
  title!: string
}

describeDatabases('relations of a model', (bench) => {
  let db: Database
  let statements: string[] = []
  beforeAll(async () => {
    const { schema } = bench.db
    for (const [table, columns] of [
      ['authors', ['name']],
      ['profiles', ['author_id', 'text']],
      ['books', ['title', 'author_id', 'editor_id', 'deleted_at']],
    ] as const) {
      let query = schema.createTable(table).addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      for (const column of columns) {
        const type = column.endsWith('_id') ? 'bigint' : column.endsWith('_at') ? 'datetime(3)' : 'varchar(80)'
        query = query.addColumn(column, type)
      }
      await query.execute()
    }
    const log = ({ sql }: { sql: string }): void => void statements.push(sql)
    db = createDatabase({ url: bench.url, log })
    return () => db.destroy()
  })
  let [ada, ben, cem]: Author[] = []
  beforeEach(async () => {
    setDatabase(db)
    for (const table of ['books', 'profiles', 'authors']) await db.deleteFrom(table).execute()
    ;[ada, ben, cem] = [
      await Author.create({ name: 'Ada' }),
      await Author.create({ name: 'Ben' }),
      await Author.create({ name: 'Cem' }),
    ]
    await Book.create({ title: 'one', authorId: ada.id, editorId: ben.id })
    await Book.create({ title: 'two', authorId: ada.id, editorId: null })
    await Book.create({ title: 'three', authorId: ben.id, editorId: ada.id })
    await Book.create({ title: 'four', authorId: null, editorId: 4242 })
    await Profile.create({ authorId: ada.id, text: 'first' })
    await Profile.create({ authorId: ada.id, text: 'second' })
    statements = []
  })

  test('belongsTo: the record, undefined for null and for an id that is gone', async () => {
    const books = await Book.findMany({ with: ['author', 'editor'] })
    expect(books.map(({ title, author, editor }) => [title, author?.name, editor?.name])).toEqual([
      ['one', 'Ada', 'Ben'],
      ['two', 'Ada', undefined],
      ['three', 'Ben', 'Ada'],
      ['four', undefined, undefined],
    ])
    expect(books[0]?.author).toBeInstanceOf(Author)
    expect(statements).toHaveLength(3)
  })

  test('hasMany: a list in the order of ids, empty where nothing refers', async () => {
    const authors = await Author.findMany({ with: ['books'] })
    expect(authors.map(({ name, books }) => [name, books.map(({ title }) => title)])).toEqual([
      ['Ada', ['one', 'two']],
      ['Ben', ['three']],
      ['Cem', []],
    ])
    expect(statements).toHaveLength(2)
  })

  test('hasOne: the first by id, or undefined', async () => {
    const authors = await Author.findMany({ with: ['profile'] })
    expect(authors.map(({ profile }) => profile?.text)).toEqual(['first', undefined, undefined])
  })

  test.each([1, 10, 300])('%d records cost as many statements as one: no N+1', async (count) => {
    for (let index = 0; index < count; index++) await Book.create({ title: `t${index}`, authorId: ben?.id ?? 0 })
    statements = []
    const books = await Book.findMany({ with: ['author'] })
    expect(books).toHaveLength(count + 4)
    expect(statements).toHaveLength(2)
    statements = []
    expect((await Author.findMany({ with: ['books'] })).flatMap(({ books }) => books)).toHaveLength(count + 3)
    expect(statements).toHaveLength(2)
  })

  test('nothing to refer to costs no statement', async () => {
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
    expect((await Author.findById(ben?.id ?? 0, { with: ['books'] }))?.books.map(({ title }) => title)).toEqual([
      'three',
    ])
    expect(await Author.findById('abc', { with: ['books'] })).toBeUndefined()
  })

  test('a soft-deleted record is not related, and finds what it refers to', async () => {
    await (await Book.findOne({ where: { title: 'one' } }))?.delete()
    expect(
      (await Author.findOne({ where: { name: 'Ada' }, with: ['books'] }))?.books.map(({ title }) => title),
    ).toEqual(['two'])
    const [gone] = await Book.onlyTrashed().findMany({ with: ['author'] })
    expect(gone?.author?.name).toBe('Ada')
  })

  test('JSON contains loaded relations, and update does not write them', async () => {
    const book = await Book.findOne({ where: { title: 'one' }, with: ['author'] })
    expect(JSON.parse(JSON.stringify(book))).toMatchObject({ title: 'one', author: { name: 'Ada' } })
    await book?.update({ title: 'uno', author: { name: 'Eve' } } as never)
    expect(book?.author?.name).toBe('Ada')
    expect((await Author.findById(ada?.id ?? 0))?.name).toBe('Ada')
    expect(cem?.name).toBe('Cem')
  })

  test.each<[string, unknown, string]>([
    ['a name that is no relation', ['nobody'], "with: Book has no relation 'nobody'"],
    ['a name of every object', ['constructor'], "with: Book has no relation 'constructor'"],
    ['a prototype', ['__proto__'], "with: Book has no relation '__proto__'"],
    ['text in place of a list', 'author', 'with: expected a list of relations, got "author"'],
    ['an object in place of a list', { 0: 'author' }, 'Book: with.0: expected an object of options'],
  ])('with: %s is refused', async (_, names, message) => {
    await expect(Book.findMany({ with: names as never })).rejects.toThrow(message)
  })

  test.each([
    ['author', "Odd.relations.author: Odd has no column 'authorId'"],
    ['covers', "Odd.relations.covers: Profile has no column 'nothing'"],
    ['title', 'Odd.relations.title: the name is taken by a column or a method'],
    ['update', 'Odd.relations.update: the name is taken by a column or a method'],
  ] as const)('a relation that cannot be one, %s, is said at its first use', async (name, message) => {
    await expect(Odd.findMany({ with: [name] })).rejects.toThrow(message)
  })
})
