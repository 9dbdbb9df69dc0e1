import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { createDatabase, setDatabase } from '../../src/database.ts'
import { type App, createApp, type Middleware } from '../../src/index.ts'
import { changesOf, inputOf, listOf } from '../../src/resource.ts'
import { createSessionTable } from '../../src/stores/sql-session.ts'
import { filesIn, runCommand } from './run-command.ts'
import { temporaryFolder } from './sandbox.ts'

describe('g auth: what it requires, and what it does not change', () => {
  const generate = async (...lines: string[]) => {
    const root = temporaryFolder()
    mkdirSync(join(root, 'src'))
    writeFileSync(
      join(root, 'src/routes.ts'),
      '// sluice: imports\n\nexport const registerRoutes = (app) => {\n  // sluice: routes\n}\n',
    )
    const outcomes = []
    for (const line of lines) outcomes.push(await runCommand(root, ['g', ...line.split(' '), '--cwd', root]))
    return { root, files: filesIn(root), last: outcomes.at(-1) }
  }

  test.each([
    [
      'a model without an address',
      ['model User name:string', 'auth User name:string'],
      'has no field "email" that is unique',
    ],
    ['an address that is not unique', ['model User email:email', 'auth User'], 'has no field "email" that is unique'],
    [
      'an address that the model writes as it comes',
      ['model User email:string:unique', 'auth User'],
      'write email: t.email().unique()',
    ],
    [
      'a column that is needed',
      ['model User email:email:unique role:enum(admin,user)', 'auth User'],
      'sluice g auth User role:enum(admin,user)',
    ],
    [
      'several columns that are needed, beside one that is given',
      ['model User email:email:unique nick:string age:integer name:string', 'auth User nick:string'],
      'requires "age", "name": if a client may send it to register, use sluice g auth User nick:string age:integer name:string;',
    ],
    [
      'a field that the model does not have',
      ['model User email:email:unique', 'auth User age:integer'],
      'has no field "age" that clients may set: write age: t.integer()',
    ],
    ['a field that refers to a record', ['auth User team:references(Team)'], 'would reveal which records exist'],
    [
      'a table that another model has',
      ['model User email:email:unique', 'auth admin/User'],
      'src/app/models/User.ts already uses the table "users": a user of one model would be signed in to both; first give admin/User its own table',
    ],
  ])('2: %s, and nothing is written', async (_, lines, message) => {
    const { last, files } = await generate(...lines)
    expect(last).toMatchObject({ code: 2, err: expect.stringContaining(message) })
    expect(Object.keys(files).filter((path) => !/models\/User\.ts|src\/routes\.ts/.test(path))).toEqual([])
  })

  test.each([
    ['auth User', 'auth admin/User', 'models/User.ts already uses the table "users"'],
    ['auth admin/User', 'auth User', 'models/admin/User.ts already uses the table "users"'],
    [
      'auth AdminUser',
      'auth admin/User',
      'models/AdminUserCredential.ts already uses the table "admin_user_credentials": a user of one model would be signed in to both; rename one of them',
    ],
  ])('%s, then %s: refused, and nothing is written', async (first, second, message) => {
    const { root, files } = await generate(first)
    const outcome = await runCommand(root, ['g', ...second.split(' ')])
    expect(outcome).toMatchObject({ code: 2, err: expect.stringContaining(message) })
    expect(filesIn(root)).toEqual(files)
  })

  test('two models with the same name sign in separately, each with its own table', async () => {
    const { last } = await generate('auth User', 'model admin/User email:email:unique --table staff', 'auth admin/User')
    expect(last).toMatchObject({ code: 0, err: '' })
  })

  test('it says which fields a client sets, and warns about shared limits', async () => {
    const { last } = await generate('auth User name:string')
    expect(last?.out).toContain('A client that registers may set: email, name.\n')
    expect(last?.out).toMatch(/Set the number of proxies in src\/app\/routes\/user-auth\.ts: clientKey\(/)
    expect(last?.out).toContain('Before production: set SESSION_SECRET to at least 32 random bytes')
  })

  test('a second run changes nothing, with and without fields', async () => {
    for (const line of ['auth User', 'auth admin/User name:string']) {
      const { root, files, last } = await generate(line)
      expect(last).toMatchObject({ code: 0, err: '' })
      const { code, out } = await runCommand(root, ['g', ...line.split(' '), '--cwd', root])
      expect(code).toBe(0)
      expect(out).not.toMatch(/^(?:create|overwrite|update|skip)/m)
      expect(filesIn(root)).toEqual(files)
    }
  })

  test('the routes are registered once; the table of the model runs before that of its credentials', async () => {
    const { root, files } = await generate('auth User', 'auth User')
    expect(files['src/routes.ts']?.match(/\.mount\('\/', userAuthRoutes\(\)\)/g)).toHaveLength(1)
    const names = readdirSync(join(root, 'src/database/migrations')).sort()
    expect(names.map((name) => name.slice(18))).toEqual(['create_users_table.ts', 'create_user_credentials_table.ts'])
  })

  test('an existing model and test database are not changed', async () => {
    const { root } = await generate('auth User')
    for (const path of ['src/app/models/User.ts', 'test/database.ts']) {
      writeFileSync(join(root, path), `${readFileSync(join(root, path), 'utf8')}// ours\n`)
      expect(await runCommand(root, ['g', 'auth', 'User', '--cwd', root])).toMatchObject({ code: 0 })
      expect(readFileSync(join(root, path), 'utf8')).toContain('// ours')
    }
  })

  test('--dry-run writes nothing', async () => {
    const { files, last } = await generate('auth User --dry-run')
    expect(last?.out).toContain('create    src/app/routes/user-auth.ts')
    expect(Object.keys(files)).toEqual(['src/routes.ts'])
  })

  test.each(
    ['auth User', 'auth User --jwt'].flatMap((line) =>
      ['production', 'staging', '', undefined].map((mode) => [line, mode] as const),
    ),
  )('%s: NODE_ENV %j is production: no secret or a short one, no start', async (line, mode) => {
    const { root } = await generate(line)
    const name = line.endsWith('--jwt') ? 'JWT_SECRET' : 'SESSION_SECRET'
    const load = (query: string): Promise<object> =>
      import(/* @vite-ignore */ `${join(root, 'src/app/middleware/user-auth.ts')}?${query}`)
    for (const local of ['development', 'test']) {
      vi.stubEnv('NODE_ENV', local)
      await load(local)
    }
    vi.stubEnv('NODE_ENV', mode)
    await expect(load('none')).rejects.toThrow(`${name} is missing or short: set 32 random bytes or more`)
    vi.stubEnv(name, 'short')
    await expect(load('short')).rejects.toThrow(`${name} is missing or short`)
    vi.stubEnv(name, SECRET)
    await load('long')
    vi.unstubAllEnvs()
  })

  test.each([
    ['production', ['__Host-admin_user_csrf', '__Host-admin_user_session']],
    ['development', ['admin_user_csrf', 'admin_user_session']],
  ])('NODE_ENV %s: the cookies are %j', async (mode, names) => {
    const { root } = await generate('auth admin/User')
    vi.stubEnv('NODE_ENV', mode)
    vi.stubEnv('SESSION_SECRET', SECRET)
    const { userSession } = await import(
      /* @vite-ignore */ `${join(root, 'src/app/middleware/admin/user-auth.ts')}?${mode}`
    )
    const db = await sessionsIn('admin_user_sessions')
    const app = createApp().use(userSession)
    app.get('/', (ctx) => {
      ctx.state.session.userId = 1
      return ctx.json({ token: ctx.state.csrfToken })
    })
    // In production a proxy may speak HTTPS for it
    const url = mode === 'production' ? 'http://localhost/' : 'https://localhost/'
    const response = await app.fetch(new Request(url))
    const cookies = response.headers.getSetCookie().sort()
    expect(cookies.map((cookie) => cookie.split('=')[0])).toEqual(names)
    for (const cookie of cookies) {
      expect(cookie).toContain('Path=/')
      expect(cookie).not.toContain('Domain')
      expect(cookie.includes('Secure')).toBe(true)
    }
    await db.destroy()
    vi.unstubAllEnvs()
  })

  test('the sessions are those of the database that is used now, not of the first one', async () => {
    const { root } = await generate('auth User')
    const { userSession } = await import(/* @vite-ignore */ join(root, 'src/app/middleware/user-auth.ts'))
    const app = createApp().use(userSession)
    app.get('/', (ctx) => {
      ctx.state.session.userId = 1
      return ctx.json({})
    })
    const databases = []
    for (let round = 0; round < 2; round++) {
      const db = await sessionsIn('user_sessions')
      databases.push(db)
      expect((await app.fetch(new Request('http://localhost/'))).status).toBe(200)
    }
    for (const db of databases) {
      expect(await db.selectFrom('user_sessions').selectAll().execute()).toHaveLength(1)
      await db.destroy()
    }
  })

  test('an address has one spelling, in all schemas of the model', async () => {
    const { root } = await generate('resource User email:email:unique', 'auth User')
    const load = (file: string) => import(/* @vite-ignore */ join(root, 'src/app', file))
    const { User } = await load('models/User.ts')
    expect(listOf(User, { filter: ['email'] }).parse({ email: ' ADA@Example.com ' }).where).toEqual({
      email: 'ada@example.com',
    })
    for (const schema of [inputOf(User), changesOf(User)])
      expect(schema.parse({ email: ' ADA@Example.com ' }).email).toBe('ada@example.com')
  })

  test('guesses: an owner is not locked out by another client, and all clients together are bounded', async () => {
    const { root } = await generate('auth User')
    const { userAuthRoutes } = await import(/* @vite-ignore */ join(root, 'src/app/routes/user-auth.ts'))
    const db = await sessionsIn('user_sessions')
    const app = userAuthRoutes({ send: async () => {} }) as App
    // Both limits alone, before a handler that knows nobody
    const limits = app.plan.routes.find(({ path }) => path === '/users/login')!.middleware.at(-1) as Middleware
    const limited = createApp()
    const validated: Middleware = (ctx, next) => {
      ctx.state.valid = { body: { email: ctx.query.get('email') } }
      return next()
    }
    limited.post('/', validated, limits, (ctx) => ctx.json({}, 401))
    const guess = async (peer: string, email = 'ada@example.com') => {
      const request = new Request(`http://localhost/?email=${email}`, { method: 'POST' })
      return (await limited.fetch(request, {}, { peer } as never)).status
    }
    const statuses = async (count: number, address: string, email?: string) => {
      const list = []
      for (let tries = 0; tries < count; tries++) list.push(await guess(address, email))
      return list.filter((status) => status === 429).length
    }
    expect(await statuses(12, '192.0.2.1')).toBe(2)
    expect(await statuses(1, '192.0.2.2')).toBe(0)
    expect(await statuses(1, '192.0.2.1', 'bob@example.com')).toBe(0)
    for (let place = 3; place < 13; place++) await statuses(9, `192.0.2.${place}`)
    expect(await statuses(1, '192.0.2.99')).toBe(1)
    await db.destroy()
  })

  test.each(['production', undefined])('NODE_ENV %j: no routes as long as no mail is sent', async (mode) => {
    const { root } = await generate('auth User')
    vi.stubEnv('NODE_ENV', mode)
    vi.stubEnv('SESSION_SECRET', SECRET)
    const { userAuthRoutes } = await import(/* @vite-ignore */ join(root, 'src/app/routes/user-auth.ts'))
    expect(() => userAuthRoutes()).toThrow('UserMail.ts sends no mail yet')
    userAuthRoutes({ send: async () => {} })
    vi.stubEnv('NODE_ENV', 'development')
    userAuthRoutes()
    vi.unstubAllEnvs()
  })
})

const SECRET = 'a secret of at least 32 bytes, from the environment'

/** A database of its own in memory, with a table of sessions, for the models and the sessions from here on. */
const sessionsIn = async (table: string) => {
  const db = setDatabase(createDatabase('sqlite::memory:'))
  await createSessionTable(db, table)
  return db
}
