import { scryptSync } from 'node:crypto'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { createDatabase, migrate, setDatabase } from '../../src/database.ts'
import type { App } from '../../src/index.ts'
import { testClient } from '../../src/testing.ts'
import { describeDatabases } from '../database/databases.ts'
import { runCommand } from './run-command.ts'
import { temporaryFolder } from './sandbox.ts'

/** A row of the project that was generated. */
type Record = { readonly [name: string]: unknown; update: (values: object) => Promise<unknown> }

const PASSWORD = 'a long enough password'

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')

describeDatabases('issue 15: the generated sign-in', (bench) => {
  let root = ''
  let routes: (options: { send: (mail: { email: string; token: string }) => Promise<void> }) => App
  let User: { findMany: () => Promise<Record[]> }
  let Credential: { findMany: (options?: object) => Promise<Record[]> }
  const statements: string[] = []
  const load = (file: string): Promise<{ [name: string]: any }> => import(/* @vite-ignore */ join(root, file)) // any: modules that exist only while this runs

  beforeAll(async () => {
    root = temporaryFolder()
    for (const line of [
      'model User email:email:unique name:string(20) isAdmin:boolean?',
      'migration CreateUsersTable email:email:unique name:string(20) isAdmin:boolean?',
      'auth User name:string(20)',
    ])
      expect(await runCommand(root, ['g', ...line.split(' ')])).toMatchObject({ code: 0 })
    const db = createDatabase({ url: bench.url, log: ({ sql }) => void statements.push(sql) })
    setDatabase(db)
    await migrate({
      db,
      folder: join(root, 'src/database/migrations'),
      load: (file) => import(/* @vite-ignore */ file),
    })
    routes = (await load('src/app/routes/user-auth.ts')).userAuthRoutes
    User = (await load('src/app/models/User.ts')).User
    Credential = (await load('src/app/models/UserCredential.ts')).UserCredential
    return () => db.destroy()
  })

  /** A browser at an application of its own, whose limits nobody else counts against. */
  const visit = () => {
    const mailboxes = new Map<string, (token: string) => void>()
    const app = routes({ send: async ({ email, token }) => mailboxes.get(email)?.(token) })
    const visitor = testClient(app)
    const ask = async (action: string, body: unknown, more: { [name: string]: string } = {}) => {
      const { token } = (await (await visitor.request('/users/csrf')).json()) as { token: string }
      const headers = { 'content-type': 'application/json', 'x-csrf-token': token, ...more }
      const response = await visitor.request(`/users/${action}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      return { status: response.status, text: await response.text() }
    }
    const mailed = async (action: string, body: { email: string }): Promise<string> => {
      const mail = new Promise<string>((resolve) => mailboxes.set(body.email, resolve))
      expect((await ask(action, body)).status).toBe(202)
      return mail
    }
    return { ask, mailed, visitor }
  }

  const signUp = async (email: string, more: object = {}) => {
    const browser = visit()
    const token = await browser.mailed('register', { email, name: 'Ada', ...more } as { email: string })
    expect((await browser.ask('reset', { token, password: PASSWORD })).status).toBe(204)
    return browser
  }

  test('only listed fields are stored: neither an id nor a role', async () => {
    await signUp('mass@example.com', { id: 4711, isAdmin: true, createdAt: '2000-01-01', passwordHash: 'x' })
    const user = (await User.findMany()).find(({ email }) => email === 'mass@example.com')
    expect(user).toMatchObject({ name: 'Ada', isAdmin: null })
    expect(user?.id).not.toBe(4711)
  })

  test('the database contains hashes and no token, and no response contains a hash', async () => {
    const browser = visit()
    const token = await browser.mailed('register', { email: 'hash@example.com', name: 'Ada' } as { email: string })
    const [before] = await Credential.findMany({ orderBy: { id: 'desc' }, limit: 1 })
    expect(before).toMatchObject({ passwordHash: null, tokenHash: expect.stringMatching(/^[\da-f]{64}$/) })
    expect(JSON.stringify(before)).not.toContain(token)
    expect(before!.tokenExpiresAt).toBeInstanceOf(Date)
    expect((before!.tokenExpiresAt as Date).getTime()).toBeLessThanOrEqual(Date.now() + 3_600_000)
    await browser.ask('reset', { token, password: PASSWORD })
    const [after] = await Credential.findMany({ orderBy: { id: 'desc' }, limit: 1 })
    expect(after).toMatchObject({
      passwordHash: expect.stringMatching(/^\$scrypt\$ln=15,r=8,p=3\$[\w+/]{22}\$[\w+/]{43}$/),
      tokenHash: null,
      tokenExpiresAt: null,
    })
    const { status, text } = await browser.ask('login', { email: 'hash@example.com', password: PASSWORD })
    expect(status).toBe(200)
    expect(Object.keys(JSON.parse(text).data).sort()).toEqual([
      'createdAt',
      'email',
      'id',
      'isAdmin',
      'name',
      'updatedAt',
    ])
  })

  test('an account of a seed or a factory can sign in with any spelling of its address', async () => {
    expect(await runCommand(root, ['g', 'seed', 'User'])).toMatchObject({ code: 0 })
    const { createUser } = await load('src/database/factories/user.ts')
    expect(await createUser({ email: ' Seeded@Example.COM' })).toMatchObject({ email: 'seeded@example.com' })
    const browser = visit()
    const token = await browser.mailed('forgot', { email: 'seeded@example.com' })
    expect((await browser.ask('reset', { token, password: PASSWORD })).status).toBe(204)
    const { status } = await browser.ask('login', { email: 'SEEDED@example.com', password: PASSWORD })
    expect(status).toBe(200)
  })

  test('an unknown address costs the statements that a known one costs', async () => {
    const browser = await signUp('time@example.com')
    const count = async (email: string): Promise<string[]> => {
      statements.length = 0
      expect((await browser.ask('login', { email, password: 'not the password' })).status).toBe(401)
      return statements.map((sql) => sql.replace(/\s+/g, ' '))
    }
    const known = await count('time@example.com')
    expect(await count('nobody@example.com')).toEqual(known)
    expect(known.length).toBeGreaterThan(1)
  })

  test.each([
    ['a password that is too short', 'reset', { token: 'x'.repeat(43), password: 'x'.repeat(11) }],
    ['a password that is too long', 'reset', { token: 'x'.repeat(43), password: 'x'.repeat(129) }],
    ['a token of another length', 'reset', { token: 'x'.repeat(42), password: PASSWORD }],
    ['a token that is a list', 'reset', { token: ['x'], password: PASSWORD }],
    ['an unknown token', 'reset', { token: 'x'.repeat(43), password: 'x'.repeat(12) }],
    ['a password to check that is too long', 'login', { email: 'a@example.com', password: 'x'.repeat(129) }],
    ['a password that is an object', 'login', { email: 'a@example.com', password: { $ne: 1 } }],
    ['an invalid address', 'forgot', { email: 'a' }],
    ['an address that is too long', 'forgot', { email: `${'a'.repeat(250)}@example.com` }],
    ['a name that is too long', 'register', { email: 'a@example.com', name: 'x'.repeat(21) }],
    ['no name', 'register', { email: 'a@example.com' }],
  ])('422: %s', async (_, action, body) => {
    expect((await visit().ask(action, body)).status).toBe(422)
  })

  test.each([
    ['another origin', { origin: 'https://evil.example' }, 403],
    ['another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a token of no account', { 'x-csrf-token': 'x'.repeat(32) }, 403],
    ['a form', { 'content-type': 'text/plain' }, 415],
  ])('a request of %s is refused', async (_, headers, status) => {
    expect((await visit().ask('forgot', { email: 'a@example.com' }, headers)).status).toBe(status)
  })

  test('guesses at one account are counted, even if its owner is signed in elsewhere', async () => {
    const browser = visit()
    const statuses: number[] = []
    for (let tries = 0; tries < 11; tries++)
      statuses.push((await browser.ask('login', { email: 'guess@example.com', password: 'x' })).status)
    expect(statuses).toEqual([...Array(10).fill(401), 429])
    expect((await browser.ask('login', { email: 'other@example.com', password: 'x' })).status).toBe(401)
  })

  test('every change needs the CSRF token, and the changes of one address are counted together', async () => {
    const { visitor } = visit()
    const change = async (action: string) => (await visitor.request(`/users/${action}`, { method: 'POST' })).status
    const actions = ['register', 'forgot', 'reset', 'login', 'logout']
    for (let asked = 0; asked < 60; asked++) expect(await change(actions[asked % 5]!)).toBe(403)
    for (const action of actions) expect(await change(action)).toBe(429)
  })

  test.each(['register', 'forgot'])('%s floods no mailbox', async (action) => {
    const browser = visit()
    const statuses: number[] = []
    for (let mails = 0; mails < 6; mails++)
      statuses.push((await browser.ask(action, { email: `${action}@example.com`, name: 'Ada' })).status)
    expect(statuses).toEqual([...Array(5).fill(202), 429])
  })

  test('a token that was replaced or has expired sets no password', async () => {
    const browser = await signUp('late@example.com')
    const [first, second] = [
      await browser.mailed('forgot', { email: 'late@example.com' }),
      await browser.mailed('forgot', { email: 'late@example.com' }),
    ]
    expect((await browser.ask('reset', { token: first, password: PASSWORD })).status).toBe(422)
    const [credential] = await Credential.findMany({ orderBy: { id: 'desc' }, limit: 1 })
    await credential!.update({ tokenExpiresAt: new Date(0) })
    expect((await browser.ask('reset', { token: second, password: PASSWORD })).status).toBe(422)
  })

  test('a hash of an old cost is replaced at the next login, and the new one is kept', async () => {
    const browser = await signUp('cost@example.com')
    const [credential] = await Credential.findMany({ orderBy: { id: 'desc' }, limit: 1 })
    const salt = Buffer.alloc(16, 7)
    const key = scryptSync(PASSWORD, salt, 32, { N: 1024, r: 8, p: 1 })
    await credential!.update({
      passwordHash: `$scrypt$ln=10,r=8,p=1$${unpadded(salt)}$${unpadded(key)}`,
    })
    const hashes: unknown[] = []
    for (const _ of [1, 2]) {
      const login = { email: 'cost@example.com', password: PASSWORD }
      const answers = await Promise.all([browser.ask('login', login), browser.ask('login', login)])
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      hashes.push((await Credential.findMany({ orderBy: { id: 'desc' }, limit: 1 }))[0]?.passwordHash)
    }
    expect(hashes[0]).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$/)
    expect(hashes[1]).toBe(hashes[0])
  })

  test('no cache keeps a CSRF token', async () => {
    const response = await visit().visitor.request('/users/csrf')
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  test('an account that has no password yet cannot be signed in to', async () => {
    const browser = visit()
    await browser.mailed('register', { email: 'empty@example.com', name: 'Ada' } as { email: string })
    for (const password of ['null', 'undefined', ' '])
      expect((await browser.ask('login', { email: 'empty@example.com', password })).status).toBe(401)
  })

  test('a session of before the password was changed opens nothing', async () => {
    const browser = await signUp('old@example.com')
    await browser.ask('login', { email: 'old@example.com', password: PASSWORD })
    const me = await browser.visitor.request('/users/me')
    expect({ status: me.status, 'cache-control': me.headers.get('cache-control') }).toEqual({
      status: 200,
      'cache-control': 'no-store',
    })
    const token = await visit().mailed('forgot', { email: 'old@example.com' })
    await visit().ask('reset', { token, password: 'another long password' })
    const answer = await browser.visitor.request('/users/me')
    expect({ status: answer.status, 'www-authenticate': answer.headers.get('www-authenticate') }).toEqual({
      status: 401,
      'www-authenticate': 'Session',
    })
  })
})
