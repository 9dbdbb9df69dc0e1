import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDatabase, DatabaseError, Model, setDatabase, transaction } from '../../src/database.ts'
import { isDeadlock, kindOf, toDatabaseError } from '../../src/internal/database/error/database-error.ts'
import { describeDatabases } from './databases.ts'

class User extends Model {
  static tableName = 'users'
  static columns = { firstName: 'string', loginName: 'string', age: 'number' } as const
  id!: number
  firstName!: string
  loginName!: string | null
  age!: number | null
}

class Post extends Model {
  static tableName = 'posts'
  static columns = { ownerId: 'number' } as const
  id!: number
  ownerId!: number | null
}

/** Its keys are named as a generated migration names them. */
class Player extends Model {
  static tableName = 'players'
  static columns = { name: 'string', loginName: 'string', age: 'number' } as const
  id!: number
  name!: string
  loginName!: string
  age!: number
}

/** No migration made this table. */
class Ghost extends Model {
  static tableName = 'ghosts'
  static columns = { name: 'string' } as const
  id!: number
  name!: string
}

/** No migration made the column `nick_name`. */
class Renamed extends Model {
  static tableName = 'users'
  static columns = { nickName: 'string' } as const
  id!: number
  nickName!: string
}

describeDatabases('errors in the words of the database user', (bench) => {
  beforeAll(async () => {
    const { schema } = bench.db
    await schema
      .createTable('users')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('first_name', 'varchar(10)', (column) => column.notNull())
      .addColumn('login_name', 'varchar(80)', (column) => column.unique())
      .addColumn('age', 'integer')
      .addCheckConstraint('age_is_real', sql`age < 1000`)
      .execute()
    await schema.createIndex('first_name_age').on('users').columns(['first_name', 'age']).unique().execute()
    await schema
      .createTable('posts')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('owner_id', 'integer')
      .addForeignKeyConstraint('posts_owner', ['owner_id'], 'users', ['id'])
      .execute()
    await schema
      .createTable('players')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('name', 'varchar(80)')
      .addColumn('login_name', 'varchar(80)')
      .addColumn('age', 'integer')
      .addUniqueConstraint('players_login_name_unique', ['login_name'])
      .addUniqueConstraint('players_name_age_unique', ['name', 'age'])
      .execute()
  })
  beforeEach(async () => {
    setDatabase(bench.db)
    await bench.db.deleteFrom('posts').execute()
    await bench.db.deleteFrom('players').execute()
    await bench.db.deleteFrom('users').execute()
  })
  const ada = (values: object = {}): Promise<User> => User.create({ firstName: 'Ada', loginName: 'ada', ...values })

  test('a value that must be unique: 409, with the column', async () => {
    await ada()
    await expect(ada({ age: 1 })).rejects.toMatchObject({
      name: 'HttpError',
      status: 409,
      code: 'not_unique',
      message: 'loginName: already exists',
    })
  })

  test('two columns with an index of another name: 409; MySQL names only the index', async () => {
    await ada({ loginName: null, age: 5 })
    const message = bench.dialect === 'mysql' ? 'Already exists' : 'firstName, age: already exists'
    await expect(ada({ loginName: null, age: 5 })).rejects.toMatchObject({ status: 409, message })
  })

  test.each([
    ['one column', { loginName: 'ada', name: 'Ben', age: 2 }, 'loginName: already exists'],
    ['two columns', { loginName: 'ben', name: 'Ada', age: 1 }, 'name, age: already exists'],
  ])('ND4: a key of %s with the name of a generated migration: 409, with the columns', async (_, values, message) => {
    await Player.create({ loginName: 'ada', name: 'Ada', age: 1 })
    await expect(Player.create(values)).rejects.toMatchObject({ status: 409, message })
  })

  test('an update to a value that is taken: 409, with the column', async () => {
    await ada()
    const ben = await User.create({ firstName: 'Ben' })
    await expect(ben.update({ loginName: 'ada' })).rejects.toMatchObject({
      status: 409,
      message: 'loginName: already exists',
    })
  })

  test.each(['null', 'left out'])('a required value that is %s: 422, with the column', async (how) => {
    await expect(User.create((how === 'null' ? { firstName: null } : { age: 1 }) as never)).rejects.toMatchObject({
      status: 422,
      code: 'missing_value',
      message: 'firstName: a value is required',
    })
  })

  test('a reference to nothing: 422, with the column where the database names it', async () => {
    const message =
      bench.dialect === 'sqlite' ? 'A reference does not exist, or is still in use' : 'ownerId: refers to nothing'
    await expect(Post.create({ ownerId: 99 })).rejects.toMatchObject({
      status: 422,
      code: 'invalid_reference',
      message,
    })
  })

  test('removing a record that others refer to is 422', async () => {
    const owner = await ada()
    await Post.create({ ownerId: owner.id })
    await expect(owner.forceDelete()).rejects.toMatchObject({
      status: 422,
      code: 'invalid_reference',
      message: 'A reference does not exist, or is still in use',
    })
  })

  test('a check constraint: 422', async () => {
    await expect(ada({ age: 1000 })).rejects.toMatchObject({
      status: 422,
      code: 'check_failed',
      message: 'A value is not allowed',
    })
  })

  test.runIf(bench.dialect !== 'sqlite')('a text that is too long: 422', async () => {
    const failing = ada({ firstName: 'x'.repeat(11) })
    await expect(failing).rejects.toMatchObject({
      status: 422,
      code: 'invalid_value',
      message: expect.stringMatching(/does not fit its column$/),
    })
  })

  test('a value that reads like the message of a database does not choose the column', async () => {
    const values = { firstName: 'Eve', loginName: "x' for key 'first_name" }
    await User.create(values)
    await expect(User.create({ ...values, firstName: 'Fay' })).rejects.toMatchObject({
      message: 'loginName: already exists',
    })
  })

  test('a response never contains the value, the table or the message of the database', async () => {
    await ada({ loginName: 'secret@example.org' })
    const error = await ada({ loginName: 'secret@example.org', age: 1 }).catch((thrown) => thrown)
    expect(JSON.stringify(error['~response'])).not.toMatch(/secret|users|constraint|Duplicate|key/i)
  })

  test.each<[string, () => Promise<unknown>]>([
    ['findMany', () => Ghost.findMany()],
    ['findOne', () => Ghost.findOne({ where: { name: 'x' } })],
    ['findById', () => Ghost.findById(1)],
    ['count', () => Ghost.count()],
    ['create', () => Ghost.create({ name: 'x' })],
  ])('a table that is missing, by %s: a DatabaseError that says what to do', async (_, ask) => {
    const error = await ask().catch((thrown: Error) => thrown)
    expect(error).toBeInstanceOf(DatabaseError)
    expect(error).toMatchObject({
      code: 'missing_table',
      message: 'There is no table "ghosts". Has its migration run?',
    })
    expect((error as Error).cause).toBeInstanceOf(Error)
    expect(error).not.toHaveProperty('file')
  })

  test('a column that is missing: a DatabaseError that names it', async () => {
    for (const ask of [() => Renamed.findMany(), () => Renamed.create({ nickName: 'x' })]) {
      await expect(ask()).rejects.toMatchObject({
        name: 'DatabaseError',
        code: 'missing_column',
        message: expect.stringMatching(/^There is no column "(users\.)?nick_name"\. Has its migration run\?$/),
      })
    }
  })

  if (bench.dialect !== 'sqlite') {
    test('ND4: a connection that is lost in a transaction is a DatabaseError, and the next statement works', async () => {
      const db = setDatabase(createDatabase({ url: bench.url, poolSize: 1 }))
      const [own, kill] =
        bench.dialect === 'postgres'
          ? ['select pg_backend_pid() as id', 'select pg_terminate_backend($id)']
          : ['select connection_id() as id', 'kill $id']
      const lose = async (): Promise<void> => {
        const { rows } = await sql.raw<{ id: number }>(own).execute(db)
        await sql.raw(kill.replace('$id', String(rows[0]?.id))).execute(bench.db)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      const lost = { name: 'DatabaseError', code: 'unreachable' }
      await expect(transaction(() => lose().then(() => User.count()))).rejects.toMatchObject(lost)
      expect(await User.count()).toBe(await User.count())
      // Only the commit notices
      await expect(transaction(lose)).rejects.toMatchObject(lost)
      await expect(transaction(() => User.count())).resolves.toBeTypeOf('number')
      setDatabase(bench.db)
      await db.destroy()
    })

    test('ND4: a server without TLS that must have it is a DatabaseError', async () => {
      const db = createDatabase(
        bench.dialect === 'postgres' ? `${bench.url}?sslmode=require` : `${bench.url}?ssl={"rejectUnauthorized":false}`,
      )
      setDatabase(db)
      await expect(User.count()).rejects.toMatchObject({ name: 'DatabaseError', code: 'unreachable' })
      setDatabase(bench.db)
      await db.destroy()
    })
  }

  test('an error of the program inside a transaction stays what it is', async () => {
    const own = Object.assign(new Error('mine'), { code: 'ECONNREFUSED' })
    await expect(transaction(() => Promise.reject(own))).rejects.toBe(own)
  })
})

describe('connections', () => {
  const ask = async (url: string): Promise<unknown> => {
    const db = createDatabase(url)
    try {
      return await sql`select 1`.execute(db)
    } catch (error) {
      return error
    } finally {
      await db.destroy()
    }
  }

  test.each([
    ['postgres://x:pass%20word@127.0.0.1:1/x', 'PostgreSQL'],
    ['mysql://x:pass%20word@127.0.0.1:1/x', 'MySQL'],
  ])('%s, where nothing listens, says so without the password', async (url, name) => {
    expect(await ask(url)).toMatchObject({
      name: 'DatabaseError',
      code: 'unreachable',
      message: `${name} cannot be reached: nothing listens on 127.0.0.1:1. Is it running, and is the URL right?`,
      cause: { code: 'ECONNREFUSED' },
    })
  })

  test.each([
    [
      'postgres://postgres@127.0.0.1:5432/not_made',
      'missing_database',
      'The server has no database "not_made". Create it, or correct the URL',
    ],
    [
      'mysql://root@127.0.0.1:3306/not_made',
      'missing_database',
      'The server has no database "not_made". Create it, or correct the URL',
    ],
    [
      'postgres://nobody_here@127.0.0.1:5432/test',
      'access_denied',
      /^The database refuses this user \(.*nobody_here.*\)\. Check user, password and grants$/,
    ],
    [
      'mysql://nobody_here:x@127.0.0.1:3306/test',
      'access_denied',
      /^The database refuses this user \(.*nobody_here.*\)\. Check user, password and grants$/,
    ],
    ['sqlite:/tmp', 'cannot_open', /^The database file cannot be opened/],
    ['sqlite:/dev/null/x/y.db', 'cannot_open', /^The database file cannot be opened/],
  ])('%s is %s', async (url, code, message) => {
    const error = await ask(url)
    expect(error).toMatchObject({ name: 'DatabaseError', code })
    expect((error as Error).message).toMatch(message)
  })
})

describe('kindOf', () => {
  test.each([
    [undefined, undefined],
    [null, undefined],
    ['text', undefined],
    [{}, undefined],
    [new Error('UNIQUE constraint failed: a.b'), 'not_unique'],
    [{ code: '22P02' }, 'invalid_value'],
    [{ code: '08006' }, 'unreachable'],
    [{ code: 'constructor' }, undefined],
    [{ errno: 1062 }, 'not_unique'],
    [{ errno: 1213 }, 'busy'],
    [{ code: '40P01' }, 'busy'],
    [{ code: 'SQLITE_BUSY', message: 'database is locked' }, 'busy'],
    [{ errno: -111, code: 'ECONNREFUSED' }, 'unreachable'],
    [{ errno: 1040 }, 'too_many_connections'],
    // MariaDB's number for a wrong user or password since 10.4
    [{ errno: 1698 }, 'access_denied'],
  ])('%o is %s', (error, kind) => expect(kindOf(error)).toBe(kind))

  test.each([
    [{ code: '40P01' }, true],
    [{ code: '40001' }, true],
    [{ code: 'ER_LOCK_DEADLOCK', errno: 1213 }, true],
    [{ code: '55P03' }, false],
    [{ code: 'ER_LOCK_WAIT_TIMEOUT', errno: 1205 }, false],
    [{ code: 'SQLITE_BUSY', message: 'database is locked' }, false],
    [{ code: '23505' }, false],
  ])('%o is a deadlock: %s', (error, expected) => expect(isDeadlock(toDatabaseError(error))).toBe(expected))
})
