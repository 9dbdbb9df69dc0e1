// Compiled, never run: what the types of a model allow and refuse.
import {
  allOf,
  anyOf,
  belongsTo,
  createDatabase,
  gte,
  hasMany,
  hasOne,
  isIn,
  isNull,
  like,
  lt,
  type Migrate,
  Model,
  not,
  type Relation,
  type Row,
  type Values,
} from '../../src/database.ts'

class User extends Model {
  static tableName = 'users'
  static timestamps = true
  static softDelete = true
  static columns = { name: 'string', age: 'number' } as const
  id!: number
  name!: string
  age!: number | null
  createdAt!: Date
  updatedAt!: Date
  deletedAt?: Date
  greeting(): string {
    return `Hello ${this.name}`
  }
}

class Bare extends Model {
  static tableName = 'bares'
  static columns = {} as const
  id!: number
}

class Tableless extends Model {
  id!: number
}

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const holds = <T extends true>(): T | undefined => undefined

holds<Same<keyof Values<User>, 'name' | 'age'>>()
holds<Same<keyof Row<User>, 'id' | 'name' | 'age' | 'createdAt' | 'updatedAt' | 'deletedAt'>>()

export const allowed = async (partial: { name?: string | undefined }, body: Record<string, unknown>): Promise<void> => {
  const user: User = await User.create({ name: 'Ada' })
  const found: User | undefined = await User.findById('1')
  const all: User[] = await User.findMany({
    where: { age: isNull, id: isIn([1, 2]) },
    orderBy: { createdAt: 'desc' },
    limit: 1,
  })
  const gone: User[] = await User.onlyTrashed().findMany({ where: { deletedAt: new Date() } })
  const same: User = await user.update(partial)
  const total: number = await User.withTrashed().count({ where: { name: anyOf('a', like('b%'), not('c')) } })
  await user.update(body)
  const rows = await User.query().where('age', '>', 18).orderBy('name').execute()
  const age: number | null | undefined = rows[0]?.age
  await User.findMany({ where: { age: allOf(gte(18), lt(65)), createdAt: lt(new Date()), name: not(isNull) } })
  await Bare.create({})
  await Bare.create({ anything: 1 })
  const text: string = user.greeting()
  const typed = createDatabase<{ users: { id: number } }>('sqlite::memory:')
  const ids: { id: number }[] = await typed.selectFrom('users').select('id').execute()
  const up: Migrate = (schema, db) =>
    schema
      .dropTable('x')
      .execute()
      .then(() => db.deleteFrom('y').execute())
  void [found, all, gone, same, total, age, text, ids, up]
}

export const refused = async (user: User): Promise<void> => {
  // @ts-expect-error the id is the database's
  await User.create({ name: 'Ada', id: 1 })
  // @ts-expect-error timestamps are the model's
  await user.update({ updatedAt: new Date() })
  // @ts-expect-error a name is a string
  await User.create({ name: 1 })
  // @ts-expect-error a method is no column
  await User.findMany({ where: { greeting: 'x' } })
  // @ts-expect-error undefined would widen the result
  await User.findMany({ where: { name: undefined } })
  // @ts-expect-error null has an explicit form: isNull
  await User.findMany({ where: { age: null } })
  // @ts-expect-error a list has an explicit form: isIn
  await User.findMany({ where: { id: [1, 2] } })
  // @ts-expect-error an operator that JSON can write is no condition
  await User.findMany({ where: { id: { in: [1, 2] } } })
  // @ts-expect-error a condition compares values of the column's type
  await User.findMany({ where: { age: gte('18') } })
  // @ts-expect-error like is for text
  await User.findMany({ where: { age: like('1%') } })
  // @ts-expect-error a direction is asc or desc
  await User.findMany({ orderBy: { name: 'up' } })
  // @ts-expect-error a model says its table
  await Tableless.findMany()
  // @ts-expect-error a column of the builder has to exist
  User.query().where('nothing', '=', 1)
}

/** Two models that refer to each other, and one to itself. */
class Author extends Model {
  static tableName = 'authors'
  static columns = { name: 'string', bossId: 'number' } as const
  static relations = {
    books: hasMany(() => Book, 'authorId'),
    best: hasOne(() => Book, 'authorId'),
    boss: belongsTo(() => Author, 'bossId'),
  }
  id!: number
  name!: string
  bossId!: number | null
}

class Book extends Model {
  static tableName = 'books'
  static softDelete = true
  static version = true
  static columns = { title: 'string', authorId: 'number' } as const
  static relations = { author: belongsTo(() => Author, 'authorId') }
  id!: number
  title!: string
  authorId!: number
  version!: number
  deletedAt?: Date
}

type IsAny<T> = 0 extends 1 & T ? true : false

export const related = async (): Promise<void> => {
  const [book] = await Book.findMany({ with: ['author'] })
  const [author] = await Author.findMany({ with: ['books', 'best', 'boss'], where: { name: 'x' }, limit: 1 })
  const plain = await Book.findOne({ where: { title: 'x' } })
  const one = await Book.findById(1, { with: ['author'] })
  const [gone] = await Book.onlyTrashed().findMany({ with: ['author'] })
  if (!book || !author || !plain || !one || !gone) return
  holds<Same<typeof book.author, Author | undefined>>()
  holds<Same<typeof author.books, readonly Book[]>>()
  holds<Same<typeof author.best, Book | undefined>>()
  holds<Same<typeof author.boss, Author | undefined>>()
  holds<Same<typeof plain, Book>>()
  holds<Same<typeof one.author, Author | undefined>>()
  holds<Same<typeof gone.author, Author | undefined>>()
  holds<Same<IsAny<typeof book>, false>>()
  holds<Same<IsAny<typeof book.title>, false>>()
  holds<Same<IsAny<typeof book.author>, false>>()
  holds<Same<typeof Book.relations.author, Relation<Author | undefined>>>()
  holds<Same<keyof Row<typeof book>, 'id' | 'title' | 'authorId' | 'version' | 'deletedAt'>>()
  const name: string | undefined = book.author?.name
  await book.update({ title: 'x', version: 3 })
  // @ts-expect-error what was loaded is no column
  await book.update({ author: undefined })
  // @ts-expect-error what is not asked for is not there
  plain.author
  // @ts-expect-error what is not asked for is not there
  author.books[0]?.author
  // @ts-expect-error a list of related records is not changed in place
  author.books.push(book)
  // @ts-expect-error a relation has to exist
  await Book.findMany({ with: ['publisher'] })
  // @ts-expect-error a relation has to exist
  await Book.findOne({ with: ['author', 'publisher'] })
  // @ts-expect-error a column is no relation
  await Book.findById(1, { with: ['title'] })
  // @ts-expect-error a model without relations loads none
  await User.findMany({ with: ['author'] })
  // @ts-expect-error a relation is no column
  await Book.findMany({ where: { author: 1 } })
  // @ts-expect-error the column has to exist in the other model
  hasMany(() => Book, 'writerId')
  // @ts-expect-error a method is no column
  hasOne(() => User, 'greeting')
  // @ts-expect-error a model says its table
  belongsTo(() => Tableless, 'id')
  void name
}
