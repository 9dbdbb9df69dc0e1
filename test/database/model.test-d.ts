// Compiled, never run: what the types of a model allow and refuse.
import {
  allOf,
  anyOf,
  createDatabase,
  gte,
  isIn,
  isNull,
  like,
  lt,
  type Migrate,
  Model,
  not,
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
  // @ts-expect-error a plain class has no relations
  await User.findMany({ with: ['author'] })
  // @ts-expect-error a model says its table
  await Tableless.findMany()
  // @ts-expect-error a column of the builder has to exist
  User.query().where('nothing', '=', 1)
}
