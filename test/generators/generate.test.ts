import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { filesIn, runCommand } from './run-command.ts'
import { linkPackages, temporaryFolder } from './sandbox.ts'

/** Generate into an empty project; gives the files by path. */
const generate = async (...lines: string[]) => {
  const root = temporaryFolder()
  for (const line of lines) {
    const outcome = await runCommand(root, ['g', ...line.split(' '), '--cwd', root])
    expect(outcome).toMatchObject({ code: 0, err: expect.stringMatching(/^(?:sluice: \w+ looks like a plural.*\n)?$/) })
  }
  return { root, files: filesIn(root) }
}

describe('SPEC 4.5: each kind has its place', () => {
  test.each([
    ['model user', 'src/app/models/User.ts'],
    ['model admin/User', 'src/app/models/admin/User.ts'],
    ['controller User', 'src/app/controllers/UserController.ts'],
    ['controller UserController', 'src/app/controllers/UserController.ts'],
    ['controller admin/blog-post', 'src/app/controllers/admin/BlogPostController.ts'],
    ['middleware auth', 'src/app/middleware/auth.ts'],
    ['middleware RateLimit', 'src/app/middleware/rate-limit.ts'],
    ['validator User', 'src/app/validators/User.ts'],
    ['validator UserValidator', 'src/app/validators/UserValidator.ts'],
    ['service Billing', 'src/app/services/Billing.ts'],
    ['seed Countries', 'src/database/seeds/countries.ts'],
    ['seed admin/UserSeed', 'src/database/seeds/admin-user.ts'],
    ['provider Mail', 'src/app/providers/MailProvider.ts'],
    ['provider admin/MailProvider', 'src/app/providers/admin/MailProvider.ts'],
  ])('g %s', async (line, path) => {
    expect(Object.keys((await generate(line)).files)).toEqual([path])
  })

  test('G7: a migration is named after its second in UTC and its name in snake case', async () => {
    const before = Math.floor(Date.now() / 1000) * 1000
    const [path = ''] = Object.keys((await generate('migration CreateUsersTable')).files)
    const match = /^src\/database\/migrations\/(\d{4})_(\d\d)_(\d\d)_(\d\d)(\d\d)(\d\d)_create_users_table\.ts$/.exec(
      path,
    )
    const [, year, month, day, hour, minute, second] = match ?? []
    const moment = `${year}-${month}-${day}T${hour}:${minute}:${second}Z`
    expect(Date.parse(moment)).toBeGreaterThanOrEqual(before)
    expect(Date.parse(moment)).toBeLessThanOrEqual(Date.now())
  })

  test('G7: three migrations of one second sort in the order they were made', async () => {
    const { files } = await generate('migration ZebraStep', 'migration AppleStep', 'migration MangoStep')
    expect(Object.keys(files).map((path) => path.replace(/.*\d{6}_/, ''))).toEqual([
      'zebra_step.ts',
      'apple_step.ts',
      'mango_step.ts',
    ])
  })

  test('g resource writes the whole resource', async () => {
    const { files } = await generate('resource Post')
    expect(Object.keys(files).map((path) => path.replace(/\d{4}_\d\d_\d\d_\d{6}/, 'time'))).toEqual([
      'src/app/models/Post.ts',
      'src/app/routes/post.ts',
      'src/database/migrations/time_create_posts_table.ts',
      'test/database.ts',
      'test/post.test.ts',
    ])
  })

  test('P22: the helper of tests is created only once', async () => {
    const { root } = await generate('resource User')
    const path = join(root, 'test/database.ts')
    writeFileSync(path, `${readFileSync(path, 'utf8')}// ours\n`)
    for (const line of ['resource Post', 'resource Tag'])
      expect((await runCommand(root, ['g', ...line.split(' ')])).code).toBe(0)
    expect(filesIn(root)['test/database.ts']).toContain('// ours')
  })

  test('issue 34: a resource is at most 120 lines, without its migration and what all tests share', async () => {
    const { files } = await generate('resource Product name:string price:decimal(10,2)')
    const own = Object.entries(files).filter(([path]) => !/migrations|test\/database/.test(path))
    const lines = own.reduce((sum, [, text]) => sum + text.trimEnd().split('\n').length, 0)
    expect(lines).toBeLessThanOrEqual(120)
    expect(lines).toBeGreaterThan(60)
  })

  test('issue 34: PUT and PATCH have one handler, and a test compares values of JSON alone in depth', async () => {
    const { files } = await generate('resource Post title:string', 'resource Note body:json')
    expect(files['src/app/routes/post.ts']?.match(/findOrFail/g)).toHaveLength(3)
    expect(files['src/app/routes/post.ts']?.match(/^ {2}\.(?:put|patch)\(.* update\)$/gm)).toHaveLength(2)
    expect(files['test/post.test.ts']).toContain("assert.equal(changed.data.title, 'B')")
    expect(files['test/note.test.ts']).toContain("assert.deepEqual(changed.data.body, ['three'])")
  })

  test('P22: a service contains no example code, and no test of nothing', async () => {
    const root = temporaryFolder()
    mkdirSync(join(root, 'test'))
    expect((await runCommand(root, ['g', 'service', 'admin/Billing'])).code).toBe(0)
    const files = filesIn(root)
    expect(Object.keys(files)).toEqual(['src/app/services/admin/Billing.ts'])
    expect(files['src/app/services/admin/Billing.ts']).toMatch(/export class Billing \{\}\n$/)
  })
})

describe('issue 15: factories and seeds of a model', () => {
  const MODELS = [
    'model User email:email:unique',
    'model admin/Post title:string owner:references(User) peer:references(User)?',
  ]

  test('come with the factories of what the model needs, each made once', async () => {
    const { root, files } = await generate(...MODELS, 'seed admin/Post', 'factory admin/Post')
    expect(Object.keys(files)).toEqual([
      'src/app/models/User.ts',
      'src/app/models/admin/Post.ts',
      'src/database/factories/admin/post.ts',
      'src/database/factories/user.ts',
      'src/database/seeds/admin-post.ts',
    ])
    for (const line of ['seed admin/Post', 'factory admin/Post', 'factory User']) {
      const { code, out } = await runCommand(root, ['g', ...line.split(' ')])
      expect({ line, code, out }).toEqual({ line, code: 0, out: expect.not.stringMatching(/^(?:create|update|skip)/m) })
    }
    expect(filesIn(root)).toEqual(files)
  })

  test.each([
    ['users', 'model User email:email:unique', 'User', 'user'],
    ['BlogPosts', 'model BlogPost title:string', 'BlogPost', 'blog-post'],
    ['person', 'model People name:string', 'People', 'people'],
  ])('seed and factory %s use the model that has the same plural: %s', async (typed, line, model, file) => {
    const { files } = await generate(line, `seed ${typed}`)
    const seed = `src/database/seeds/${typed === 'BlogPosts' ? 'blog-posts' : typed}.ts`
    expect(Object.keys(files).sort()).toEqual(
      [`src/app/models/${model}.ts`, `src/database/factories/${file}.ts`, seed].sort(),
    )
    expect(files[seed]).toContain(`import { create${model} } from '../factories/${file}.ts'`)
    expect(files[seed]).toContain(`await ${model}.count(); made < 10; made++) await create${model}()`)
    const made = await generate(line, `factory ${typed}`)
    expect(made.files[`src/database/factories/${file}.ts`]).toBe(files[`src/database/factories/${file}.ts`])
  })

  test('a model of another folder is not used, and no other file either', async () => {
    const { root } = await generate('model admin/Post title:string')
    mkdirSync(join(root, 'src/app/models/Post'))
    writeFileSync(join(root, 'src/app/models/index.ts'), '')
    expect(await runCommand(root, ['g', 'seed', 'posts'])).toMatchObject({
      code: 0,
      out: 'create    src/database/seeds/posts.ts\n',
    })
  })

  test('a seed fills up to ten, however many exist before', async () => {
    const { files } = await generate(...MODELS, 'seed User')
    expect(files['src/database/seeds/user.ts']).toContain(
      'for (let made = await User.count(); made < 10; made++) await createUser()\n',
    )
  })

  test('a factory that was changed is kept by what needs it, and is not replaced without --force', async () => {
    const { root } = await generate(...MODELS, 'factory User')
    const path = join(root, 'src/database/factories/user.ts')
    writeFileSync(path, `${readFileSync(path, 'utf8')}// ours\n`)
    for (const kind of ['factory', 'seed']) expect((await runCommand(root, ['g', kind, 'admin/Post'])).code).toBe(0)
    expect((await runCommand(root, ['g', 'factory', 'User'])).code).toBe(1)
    expect(readFileSync(path, 'utf8')).toContain('// ours')
    expect((await runCommand(root, ['g', 'factory', 'User', '--force'])).code).toBe(0)
    expect(readFileSync(path, 'utf8')).not.toContain('// ours')
  })

  test.each([
    ['factory Nobody', 2, 'There is no src/app/models/Nobody.ts; generate it first: sluice g model Nobody'],
    ['factory User name:string', 2, '"name:string" is one word too many'],
    ['seed User --table people', 2, '--table is not an option of a seed; its options: none'],
    ['provider Service', 2, 'ServiceProvider is the class that providers extend'],
    ['seed ../secrets', 2, 'is not a name'],
    ['auth User --lock', 2, '--lock is not an option of an auth; its options: --jwt'],
  ])('g %s is refused with %i, and nothing is written', async (line, code, message) => {
    const root = temporaryFolder()
    const outcome = await runCommand(root, ['g', ...line.split(' ')])
    expect(outcome).toMatchObject({ code, err: expect.stringContaining(message) })
    expect(filesIn(root)).toEqual({})
  })

  test.each([
    ['model', ['table', 'soft-delete', 'no-timestamps', 'lock']],
    ['validator', ['id']],
    ['middleware', []],
    ['resource', ['table', 'soft-delete', 'no-timestamps', 'lock', 'key', 'under', 'owner']],
  ])('NE10: the help of g %s has its own options', async (kind, own) => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => {})
    const { code } = await runCommand(temporaryFolder(), ['g', kind, '--help'])
    const out = log.mock.calls.flat().join('\n')
    log.mockRestore()
    const options = [...out.matchAll(/^ +(?:-\w, )?--([a-z-]+)/gm)].map(([, name]) => name!)
    expect({ code, options }).toEqual({ code: 0, options: [...own, 'dry-run', 'force', 'json', 'cwd', 'help'] })
  })

  test('NE10: a middleware with the name of one of the package is refused, with another name', async () => {
    const root = temporaryFolder()
    linkPackages(root)
    const { code, err } = await runCommand(root, ['g', 'middleware', 'session'])
    expect({ code, err, hasFile: existsSync(join(root, 'src')) }).toEqual({
      code: 2,
      err: expect.stringContaining(
        '"session" is a middleware of sluice (sluice/middleware/session): choose a name such as require-session',
      ),
      hasFile: false,
    })
  })

  test('a short column has room for the number that makes its values unique', async () => {
    const { files } = await generate('model User code:string(3):unique', 'factory User')
    expect(files['src/database/factories/user.ts']).toContain('code: `${n}`')
  })

  test('no number is declared for a UUID, which is unique without one', async () => {
    const { files } = await generate('resource Ticket code:uuid:unique', 'factory Ticket')
    expect(files['src/database/factories/ticket.ts']).not.toMatch(/\bn\b/)
    expect(files['test/ticket.test.ts']).toMatch(/const sample = \(\) => \(\{\s+code: crypto\.randomUUID\(\),?\s+\}\)/)
    expect(files['test/ticket.test.ts']).not.toMatch(/sample\(\d/)
  })
})

describe('G2: models', () => {
  const fieldsOf = (source: string | undefined) =>
    [...(source ?? '').matchAll(/^ {2}declare (?:readonly )?(\w+\??): (\w+)/gm)].map((match) =>
      match.slice(1).join(' '),
    )

  test.each([
    [
      'User',
      ["static override readonly tableName = 'users'", 'static override readonly timestamps = true'],
      ['id number', 'createdAt Date', 'updatedAt Date'],
    ],
    ['BlogPost', ["tableName = 'blog_posts'"], ['id number', 'createdAt Date', 'updatedAt Date']],
    ['Person --table members', ["tableName = 'members'"], ['id number', 'createdAt Date', 'updatedAt Date']],
    [
      'User --soft-delete',
      ['{ softDelete: true }', 'static override readonly softDelete = true', 'readonly timestamps = true'],
      ['id number', 'deletedAt? Date', 'createdAt Date', 'updatedAt Date'],
    ],
    ['User --no-timestamps', ['{ timestamps: false }'], ['id number']],
  ])('g model %s', async (line, lines, fields) => {
    const source = Object.values((await generate(`model ${line}`)).files)[0] ?? ''
    expect(source).toContain('extends Model.define(')
    for (const expected of lines) expect(source).toContain(expected)
    expect(fieldsOf(source)).toEqual(fields)
    expect(source.includes('softDelete')).toBe(line.includes('soft-delete'))
    expect(source.includes('timestamps = true')).toBe(!line.includes('no-timestamps'))
  })

  test('a controller generated later uses the columns of the model, with their types', async () => {
    const { files } = await generate(
      'model User name,bio:text?,age:integer,born:date?',
      'controller User --api',
      'validator User',
    )
    for (const path of ['src/app/controllers/UserController.ts', 'src/app/validators/User.ts']) {
      expect(files[path]).toContain('export const createUserSchema = inputOf(User)')
      expect(files[path]).toContain('export const updateUserSchema = changesOf(User)')
    }
  })

  test('a validator with fields of its own does not use those of the model', async () => {
    const { files } = await generate('model User name:string', 'validator User age:integer bio:text?')
    expect(files['src/app/validators/User.ts']).toContain('age: z.number().int()')
    expect(files['src/app/validators/User.ts']).toContain('bio: z.string().max(10_000).nullish(),')
    expect(files['src/app/validators/User.ts']).not.toContain('inputOf')
  })

  test.each([
    ['name:string,passwordHash:string,isAdmin:boolean', 'passwordHash, isAdmin'],
    ['apiKey:string,resetToken:string?,name:string', 'apiKey, resetToken'],
    ['name:string,role:enum(user,admin),verified:boolean', 'role, verified'],
    ['name:string,address:string,keyboard:string,author:string,adminNotes:text', undefined],
  ])('a resource with %s names what clients should hardly see or set', async (fields, names) => {
    const { root } = await generate()
    const { code, out } = await runCommand(root, ['g', 'resource', 'Car', fields, '--cwd', root])
    expect(code).toBe(0)
    expect(/Clients can see and set ([\w, ]+)\. .* in src\/app\/models\/Car\.ts$/m.exec(out)?.[1]).toBe(names)
  })

  test('a resource of a model without fields has none either', async () => {
    const { root, files } = await generate('model Car')
    const { code, out, err } = await runCommand(root, ['g', 'resource', 'Car', '--cwd', root])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain('identical src/app/models/Car.ts')
    const after = filesIn(root)
    expect(after['src/app/models/Car.ts']).toBe(files['src/app/models/Car.ts'])
    const others = Object.entries(after).filter(([path]) => /car/i.test(path))
    expect(others).toHaveLength(4)
    for (const [path, text] of others)
      expect({ path, text }).toEqual({ path, text: expect.not.stringMatching(/^ +name[:,]|'name'/m) })
  })

  test.each(['', ' --force'])('a resource of a model with code of its own leaves the model alone%s', async (force) => {
    const { root } = await generate('resource Post title:string author:string', 'model User name:string')
    const file = join(root, 'src/app/models/User.ts')
    const source = readFileSync(file, 'utf8').replace(
      '  declare readonly id',
      "  get label() {\n    return 'x'\n  }\n\n  declare readonly id",
    )
    writeFileSync(file, source)
    const { code, out } = await runCommand(root, `g resource User${force}`.split(' '))
    expect(code).toBe(0)
    expect(out).toContain('identical src/app/models/User.ts')
    expect(readFileSync(file, 'utf8')).toBe(source)
    expect(readFileSync(join(root, 'test/user.test.ts'), 'utf8')).toContain("name: 'Ada'")
  })

  test('a resource of a model whose table another migration creates gets no second migration', async () => {
    const { root, files } = await generate(
      'model User name:string',
      'migration CreateUsers name:string',
      'resource User',
    )
    const migrations = Object.keys(files).filter((path) => path.includes('migrations/'))
    expect(migrations).toEqual([expect.stringContaining('_create_users.ts')])
    const { code, out } = await runCommand(root, ['g', 'resource', 'User', '--force'])
    expect({ code, out }).toEqual({ code: 0, out: expect.not.stringMatching(/create {4}|overwrite|Next:/) })
  })

  test.each([
    ['all switches', '--lock --soft-delete --no-timestamps --table things'],
    ['one switch', '--lock'],
  ])('a resource of an existing model is the same as one with its options: %s', async (_, options) => {
    const later = await generate(`model Post title:string ${options}`, 'resource Post')
    const once = await generate(`resource Post title:string ${options}`)
    const withoutTime = (files: Record<string, string>) =>
      Object.entries(files).map(([path, text]) => [path.replace(/\d{4}_\d\d_\d\d_\d{6}/, 'time'), text])
    expect(withoutTime(later.files)).toEqual(withoutTime(once.files))
  })
})

describe('models that would share a table without anybody having said so', () => {
  test.each([
    [['model Order'], 'model Orders', 'The table orders belongs to src/app/models/Order.ts', 'sluice g model Order'],
    [
      ['model Order'],
      'resource orders',
      'The table orders belongs to src/app/models/Order.ts',
      'sluice g resource Order',
    ],
    [['model User'], 'model admin/User', 'The table users belongs to src/app/models/User.ts', '--table admin_users'],
  ])('%j, then g %s is refused', async (before, line, why, remedy) => {
    const { root, files } = await generate(...before)
    const { code, err } = await runCommand(root, ['g', ...line.split(' ')])
    expect(err).toContain(why)
    expect(err).toContain(remedy)
    expect(code).toBe(2)
    expect(filesIn(root)).toEqual(files)
  })

  test('with --table they may, and an existing one is generated again', async () => {
    const lines = ['model Order', 'model OrderView --table orders', 'model OrderView --table orders', 'model Order']
    const { files } = await generate(...lines)
    expect(Object.values(files).filter((text) => text.includes("'orders'"))).toHaveLength(2)
  })

  test.each([
    ['model Orders', true],
    ['resource people', true],
    ['model News', false],
    ['model Order', false],
    ['service Orders', false],
  ])('g %s: a plural is mentioned: %s', async (line, isMentioned) => {
    const { code, err } = await runCommand(temporaryFolder(), ['g', ...line.split(' ')])
    expect(code).toBe(0)
    expect(err.includes('looks like a plural')).toBe(isMentioned)
  })
})

describe('G3, G4, G5: controllers', () => {
  const actions = (source: string | undefined) =>
    [...(source ?? '').matchAll(/static async (\w+)\(\w*ctx: Context(?:<object, \{ id: string \}>)?\)/g)].map(
      ([, action]) => action,
    )

  test.each([
    ['controller User', ['index', 'show']],
    ['controller User --resource', ['index', 'show', 'store', 'update', 'destroy']],
    ['controller User --api', ['index', 'show', 'store', 'update', 'destroy']],
    ['controller User --resource --api', ['index', 'show', 'store', 'update', 'destroy']],
  ])('g %s', async (line, expected) => {
    const { files } = await generate(line)
    expect(actions(files['src/app/controllers/UserController.ts'])).toEqual(expected)
  })

  test('G11: imports of a controller in a folder lead to the model in the same folder', async () => {
    const { files } = await generate('controller back/office/User --api')
    expect(files['src/app/controllers/back/office/UserController.ts']).toContain(
      "from '../../../models/back/office/User.ts'",
    )
  })
})

test('G8: a validator exports create, update and id schemas; the id is a uuid unless it is said to be an int', async () => {
  const { files } = await generate('validator User', 'validator Post --id int')
  expect(files['src/app/validators/User.ts']).toMatch(
    /createUserSchema = [\s\S]*updateUserSchema = createUserSchema\.partial\(\)[\s\S]*userIdSchema/,
  )
  expect(files['src/app/validators/User.ts']).toContain('id: z.string().uuid()')
  expect(files['src/app/validators/Post.ts']).toContain('.transform(Number)')
})

test('P22: the id schema is that of the model, unless it is said to be another', async () => {
  const { files } = await generate('model User', 'validator User', 'model Post', 'validator Post --id uuid')
  expect(files['src/app/validators/User.ts']).not.toContain('uuid')
  expect(files['src/app/validators/Post.ts']).toContain('id: z.string().uuid()')
})

describe('P22: routes that cannot be registered', () => {
  const advise = async (routes: string | undefined, line: string, ...more: string[]) => {
    const root = temporaryFolder()
    mkdirSync(join(root, 'src'))
    if (routes !== undefined) writeFileSync(join(root, 'src/routes.ts'), routes)
    const outcome = await runCommand(root, ['g', ...line.split(' '), ...more])
    return { ...outcome, routes: filesIn(root)['src/routes.ts'] }
  }
  const LINES = "import { postRoutes } from './app/routes/post.ts'\n  .mount('/', postRoutes)\n"

  test.each([
    ['without src/routes.ts', undefined, 'the file does not exist.'],
    [
      'without the marks',
      'export const registerRoutes = () => {}\n',
      'it needs the lines "// sluice: imports" and "// sluice: routes".',
    ],
    ['with one of the marks', '// sluice: imports\n', 'it needs the lines'],
    ['with the other one', '  // sluice: routes\n', 'it needs the lines'],
  ])('%s the lines to write are printed, and the file stays', async (_, before, reason) => {
    const { code, out, routes } = await advise(before, 'resource Post')
    expect(code).toBe(0)
    expect(out).toContain('The routes are not mounted in src/routes.ts')
    expect(out).toContain(reason)
    expect(out).toContain(LINES)
    expect(routes).toBe(before)
  })

  test('with the marks in a chain they are mounted once, and nothing is said', async () => {
    const source = '// sluice: imports\n\nexport const routes = createApp()\n// sluice: routes\n'
    const first = await advise(source, 'resource Post')
    expect(first.out).not.toContain('mounted')
    expect(first.routes).toContain("  .mount('/', postRoutes)\n// sluice: routes")
    expect((await advise(first.routes, 'resource Post')).routes).toBe(first.routes)
  })

  test('NE5: the file keeps its line ends', async () => {
    const marks =
      "import { widgetRoutes } from './app/routes/widget.ts'\r\n// sluice: imports\r\n\r\n// sluice: routes\r\n"
    const { routes } = await advise(marks, 'resource Bolt')
    expect(routes?.split('\r\n')).toEqual([
      "import { widgetRoutes } from './app/routes/widget.ts'",
      "import { boltRoutes } from './app/routes/bolt.ts'",
      '// sluice: imports',
      '',
      "  .mount('/', boltRoutes)",
      '// sluice: routes',
      '',
    ])
  })

  test('routes that the project registers in its own way are not changed', async () => {
    const own = "import { postRoutes as posts } from './app/routes/post.ts'\nposts(app)\n"
    const { out, routes } = await advise(own, 'resource Post')
    expect(out).not.toContain('not mounted')
    expect(routes).toBe(own)
  })

  test('once they are registered where the application is created, nothing is said', async () => {
    const root = temporaryFolder()
    mkdirSync(join(root, 'src'))
    const say = async () => (await runCommand(root, ['g', 'resource', 'Post'])).out
    expect(await say()).toContain('not mounted')
    writeFileSync(join(root, 'src/app.ts'), "import { postRoutes } from './app/routes/post.ts'\npostRoutes(app)\n")
    expect(await say()).not.toContain('not mounted')
  })

  test('--json has the lines as well', async () => {
    const { out } = await advise(undefined, 'resource Post', '--json')
    expect(JSON.parse(out).advice).toContain("  .mount('/', postRoutes)")
  })

  test.each([
    ['controller admin/User', 2],
    ['controller admin/User --resource', 6],
    ['controller admin/User --api', 6],
  ])('g %s says how to register its actions', async (line, count) => {
    const { out } = await advise(undefined, line)
    expect(out).toContain("import { aboutUser, UserController } from './app/controllers/admin/UserController.ts'")
    expect(out.match(/^ {2}\.\w+\('\/admin\/users(?:\/:id)?', aboutUser\.\w+, UserController\.\w+\)$/gm)).toHaveLength(
      count,
    )
  })

  test.each(['src/routes.ts', 'src/app.ts'])('a controller that %s imports needs no advice', async (file) => {
    const root = temporaryFolder()
    const say = async () => (await runCommand(root, ['g', 'controller', 'User'])).out
    expect(await say()).toContain('Register it in src/routes.ts:')
    writeFileSync(join(root, file), "import { UserController } from './app/controllers/UserController.ts'\n")
    expect(await say()).toBe('identical src/app/controllers/UserController.ts\n')
  })

  test.each([
    ['controller User --api', 'controller User'],
    ['provider Mail', 'provider Mail'],
  ])(
    'after g %s, changed by hand, g %s keeps the file and does not say how to use another one',
    async (first, second) => {
      const root = temporaryFolder()
      await runCommand(root, ['g', ...first.split(' ')])
      const [path = ''] = Object.keys(filesIn(root))
      writeFileSync(join(root, path), 'export class Mine {}\n')
      const { code, out, err } = await runCommand(root, ['g', ...second.split(' ')])
      expect({ code, out }).toEqual({ code: 1, out: `skip      ${path}\n` })
      expect(err).toContain('was kept')
    },
  )

  test.each([
    ['Sale', '--resource'],
    ['admin/Sale', '--api'],
  ])('g controller %s %s says which model is missing, and nothing once it is there', async (name, style) => {
    const missing = `It imports src/app/models/${name}.ts, which is missing: sluice g model ${name}`
    const root = temporaryFolder()
    const say = async (...line: string[]) => (await runCommand(root, ['g', ...line])).out
    expect(await say('controller', name, style)).toContain(missing)
    await say('model', name)
    expect(await say('controller', name, style, '--force')).not.toContain('missing')
    expect(await say('controller', 'Other')).not.toContain('missing')
  })
})

describe('G7: what a migration is named after decides what is in it', () => {
  test.each([
    ['CreateUsersTable', "createTable('users')", "dropTable('users')"],
    ['create-user-table', "createTable('users')", "dropTable('users')"],
    ['CreateBlogPosts', "createTable('blog_posts')", "dropTable('blog_posts')"],
    [
      'AddAgeToUsers age:integer',
      "alterTable('users').addColumn('age', 'integer')",
      "alterTable('users').dropColumn('age')",
    ],
    ['AddFirstNameAndAgeToUser', ".addColumn('first_name', 'varchar(255)')", ".dropColumn('age')"],
    [
      'RemoveAgeFromUsers',
      "alterTable('users').dropColumn('age')",
      "alterTable('users').addColumn('age', 'varchar(255)')",
    ],
    ['AddTotalToOrders --table purchases', "alterTable('purchases')", "alterTable('purchases')"],
    ['BackfillSlugs', 'async (_schema) => {}', 'async (_schema) => {}'],
    ['AddIndexes', 'async (_schema) => {}', 'async (_schema) => {}'],
  ])('g migration %s', async (line, up, down) => {
    const source = Object.values((await generate(`migration ${line}`)).files)[0] ?? ''
    const parts = {
      up: /export const up[\s\S]*?(?=export const down|$)/.exec(source)?.[0],
      down: /export const down[\s\S]*?(?=export const up|$)/.exec(source)?.[0],
    }
    expect(parts.up).toContain(up)
    expect(parts.down).toContain(down)
  })
})

describe('issue 15: the next command', () => {
  const NEXT = /^Next: npx sluice db:migrate$/m

  test.each([
    ['resource Post', true],
    ['auth User', true],
    ['resource Post --dry-run', false],
    ['model Post', false],
    ['validator Post', false],
    ['migration CreatePostsTable', false],
  ])('g %s prints db:migrate: %s', async (line, isPrinted) => {
    const { code, out } = await runCommand(temporaryFolder(), ['g', ...line.split(' ')])
    expect({ code, isPrinted: NEXT.test(out) }).toEqual({ code: 0, isPrinted })
  })

  test('after a model it is the one that writes its migration, unless there is one', async () => {
    const first = await runCommand(temporaryFolder(), ['g', 'model', 'Post'])
    expect(first.out).toContain('Next: npx sluice db:diff --write, which writes the migration of the table posts\n')
    const { root } = await generate('migration CreatePostsTable')
    expect((await runCommand(root, ['g', 'model', 'Post'])).out).not.toContain('Next:')
  })

  test('a migration that refers to a table without one needs another one before it', async () => {
    const { root } = await generate('model User')
    const { out } = await runCommand(root, [
      'g',
      'resource',
      'Post',
      'author:references(User)',
      'next:references(Post)?',
    ])
    expect(out).toMatch(
      /^Next: write a migration that creates users and sorts before \S+_create_posts_table\.ts; then npx sluice db:migrate$/m,
    )
    const other = await generate('resource User')
    expect((await runCommand(other.root, ['g', 'resource', 'Post', 'author:references(User)'])).out).toMatch(NEXT)
  })

  test('a second run writes no migration, so there is none to run', async () => {
    const { root } = await generate('resource Post')
    expect((await runCommand(root, ['g', 'resource', 'Post'])).out).not.toMatch(NEXT)
  })

  test('--json has it in the advice', async () => {
    const { out } = await runCommand(temporaryFolder(), ['g', 'resource', 'Post', '--json'])
    expect(JSON.parse(out).advice.at(-1)).toBe('Next: npx sluice db:migrate')
  })
})

describe('G13: nothing is lost', () => {
  test('a second identical run changes nothing and exits with 0', async () => {
    const { root, files } = await generate('resource Post title,stars:integer', 'middleware auth')
    for (const line of ['resource Post title,stars:integer', 'middleware auth']) {
      const { code, out } = await runCommand(root, ['g', ...line.split(' ')])
      expect(code).toBe(0)
      expect(out).not.toMatch(/^(?:create|overwrite|update|skip)/m)
    }
    expect(filesIn(root)).toEqual(files)
  })

  test('a file with other contents is kept, the rest is written, and the exit code is 1', async () => {
    const root = temporaryFolder()
    mkdirSync(join(root, 'src/app/routes'), { recursive: true })
    writeFileSync(join(root, 'src/app/routes/post.ts'), 'mine\n')
    const { code, out, err } = await runCommand(root, ['g', 'resource', 'Post'])
    expect(code).toBe(1)
    expect(out).toContain('skip      src/app/routes/post.ts')
    expect(err).toContain('--force replaces')
    const files = filesIn(root)
    expect(files['src/app/routes/post.ts']).toBe('mine\n')
    expect(Object.keys(files)).toHaveLength(5)
  })

  test('fields for a model that exists: the report says how to see, replace and migrate', async () => {
    const { root } = await generate('model Post title:string')
    const { code, out, err } = await runCommand(root, ['g', 'model', 'Post', 'title:string', 'body:text?'])
    expect(err).toContain('1 file was kept because it has different contents: --dry-run shows the differences, --force')
    expect(out).toContain('add them to src/app/models/Post.ts; then "sluice db:diff --write"')
    expect(code).toBe(1)
  })

  test('--force replaces it', async () => {
    const { root } = await generate('model User')
    const path = join(root, 'src/app/models/User.ts')
    writeFileSync(path, 'mine\n')
    const { code, out } = await runCommand(root, ['g', 'model', 'User', '--force'])
    expect({ code, out }).toEqual({ code: 0, out: 'overwrite src/app/models/User.ts\n' })
    expect(readFileSync(path, 'utf8')).toContain('class User')
  })

  test.each([
    ['a folder', mkdirSync],
    ['a dangling link', (path: string) => symlinkSync('/nowhere', path)],
  ])('%s in the place of the file stays, even under --force', async (_, put) => {
    const root = temporaryFolder()
    mkdirSync(join(root, 'src/app/models'), { recursive: true })
    put(join(root, 'src/app/models/User.ts'))
    expect((await runCommand(root, ['g', 'model', 'User', '--force'])).code).toBe(1)
    expect(filesIn(root)).toEqual({})
  })

  test('--dry-run shows the contents of what is new and writes nothing', async () => {
    const root = temporaryFolder()
    const { code, out } = await runCommand(root, ['g', 'model', 'User', '--dry-run'])
    expect(code).toBe(0)
    expect(out).toContain('create    src/app/models/User.ts\n')
    expect(out).toContain("  export class User extends Model.define('users', {")
    expect(filesIn(root)).toEqual({})
  })

  test('--dry-run shows the differences from existing files', async () => {
    const { root } = await generate('model User')
    const before = filesIn(root)
    const { code, out } = await runCommand(root, ['g', 'model', 'User', '--soft-delete', '--force', '--dry-run'])
    expect(code).toBe(0)
    expect(out).toContain('overwrite src/app/models/User.ts')
    expect(out).toContain('  +   static override readonly softDelete = true')
    expect(out.match(/^ {2}- .*$/gm)).toEqual(["  - export class User extends Model.define('users', {}) {"])
    expect(filesIn(root)).toEqual(before)
  })

  test('--json prints the same as JSON', async () => {
    const root = temporaryFolder()
    const first = await runCommand(root, ['g', 'model', 'User', '--json'])
    expect(JSON.parse(first.out)).toEqual({
      ok: true,
      dryRun: false,
      root,
      files: [{ path: 'src/app/models/User.ts', action: 'create' }],
      advice: [expect.stringContaining('db:diff --write')],
    })
    const second = await runCommand(root, ['g', 'model', 'User', '--soft-delete', '--json'])
    expect(JSON.parse(second.out)).toMatchObject({ ok: false, files: [{ action: 'exists' }] })
    expect(second.code).toBe(1)
  })
})

describe('where it works', () => {
  test('below a project that depends on sluice its root is found', async () => {
    const root = temporaryFolder()
    writeFileSync(join(root, 'package.json'), '{"dependencies":{"sluice":"^0.1.0"}}')
    mkdirSync(join(root, 'src/deep'), { recursive: true })
    await runCommand(join(root, 'src/deep'), ['g', 'model', 'User'])
    expect(Object.keys(filesIn(root))).toContain('src/app/models/User.ts')
  })

  test('outside of a project it says where the files are, and how to start a project', async () => {
    const root = temporaryFolder()
    const { code, err } = await runCommand(root, ['g', 'service', 'Billing'])
    expect(err).toContain(`No package.json here depends on sluice, so the files are in ${root}`)
    expect(code).toBe(0)
  })

  test('--cwd is used without a search for the project', async () => {
    const root = temporaryFolder()
    writeFileSync(join(root, 'package.json'), '{"dependencies":{"sluice":"^0.1.0"}}')
    mkdirSync(join(root, 'other'))
    await runCommand(root, ['g', 'model', 'User', '--cwd', 'other'])
    expect(Object.keys(filesIn(root))).toContain('other/src/app/models/User.ts')
  })
})
