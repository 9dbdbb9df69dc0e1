import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { VERSIONS } from '../../../generators/project/scaffold.ts'
import manifest from '../../../package.json' with { type: 'json' }
import { createScratchDatabase, hasService } from '../../services.ts'
import { filesIn, runCommand } from '../run-command.ts'
import { commandArguments, linkPackages, temporaryFolder } from '../sandbox.ts'

let project = ''

beforeAll(async () => {
  const parent = temporaryFolder()
  const made = await runCommand(parent, ['new', 'blog', '--no-install', '--no-git'])
  expect(made).toMatchObject({ code: 0, err: '' })
  project = join(parent, 'blog')
  linkPackages(project)
  expect((await runCommand(project, ['g', 'resource', 'Post', 'title:string'])).code).toBe(0)
})

/**
 * How long a command may take. Most take 1 to 3 s, of which 1 s is CPU time; `request` once took 20 s beside the tests
 * of `deploy`, which install and bundle on all cores. A command that hangs never ends, so a high limit finds it too.
 */
const PATIENCE_MS = 60_000

/** The command as a process, in the project. One that does not end by itself is an error. */
const sluice = (line: string | readonly string[], env: Record<string, string> = {}) => {
  const words = typeof line === 'string' ? line.split(' ') : line
  const { PATH, HOME, TMPDIR } = process.env
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [...commandArguments, ...words], {
    cwd: project,
    encoding: 'utf8',
    env: { PATH, HOME, TMPDIR, ...env },
    timeout: PATIENCE_MS,
  })
  // The output says how far it came: the log of the application follows its answer
  if (error) throw new Error(`sluice ${words.join(' ')}: ${error.message}\n${stdout}${stderr}`)
  return { code: status, out: stdout, err: stderr }
}

describe('G14: new', () => {
  test('the ranges of what it installs are those that this repository is tested with', () => {
    const known: Record<string, string> = { ...manifest.devDependencies, ...manifest.peerDependencies }
    for (const [name, range] of Object.entries(VERSIONS)) {
      expect(known[name]?.replace(/^\D+/, ''), name).toBe(range.replace(/^\D+/, ''))
    }
  })

  test('a second run finds the folder in use, changes nothing, and leaves with 1', async () => {
    const before = filesIn(join(project, 'src'))
    const { code, err } = await runCommand(join(project, '..'), ['new', 'blog', '--no-install', '--no-git'])
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('is not empty; nothing was changed') })
    expect(filesIn(join(project, 'src'))).toEqual(before)
  })

  test('a resource registers its routes once, and one in a folder under its own name', async () => {
    expect((await runCommand(project, ['g', 'resource', 'admin/Post', '--table', 'drafts'])).code).toBe(0)
    const routes = readFileSync(join(project, 'src/routes.ts'), 'utf8')
    expect(routes).toContain("import { postRoutes } from './app/routes/post.ts'")
    expect(routes).toContain("import { postRoutes as adminPostRoutes } from './app/routes/admin/post.ts'")
    expect(routes.match(/^ {2}\.mount\('\/', (?:postRoutes|adminPostRoutes)\)$/gm)).toHaveLength(2)
  })
})

describe('G15, G18: the database commands', () => {
  const broken = 'src/database/migrations/2099_01_01_000000_broken.ts'
  const put = (source: string): void => writeFileSync(join(project, broken), source)

  test('status, migrate, migrate again, rollback, fresh', () => {
    expect(sluice('db:status').out).toMatch(/^pending {2}.*_create_posts_table$/m)
    const dry = sluice('db:migrate --dry-run')
    expect(dry.out).toContain('create table "posts"')
    expect(sluice('db:status').out).not.toContain('executed')
    const migrated = sluice('db:migrate')
    expect(migrated).toMatchObject({ code: 0, err: '' })
    expect(migrated.out.match(/^migrate {2}/gm)).toHaveLength(2)
    expect(sluice('db:migrate')).toMatchObject({ code: 0, out: 'Nothing to migrate\n' })
    expect(sluice('db:rollback').out).toMatch(/^rollback .*_create_drafts_table/)
    expect(sluice('db:migrate --json').out).toContain('"direction": "up"')
    expect(sluice('db:rollback --all').out.match(/^rollback /gm)).toHaveLength(2)
    const fresh = sluice('db:fresh --seed')
    expect(fresh.out.match(/^(?:migrate|seed) /gm)).toHaveLength(3)
    expect(sluice('db:seed')).toMatchObject({ code: 0, out: 'seed     seed\n' })
  })

  test('a migration that the database refuses: exit 4, the file and what the database said', () => {
    put(
      "export const up = async (schema) => { await schema.createTable('posts').addColumn('id', 'integer').execute() }\n",
    )
    const { code, err } = sluice('db:migrate')
    expect(code).toBe(4)
    expect(err).toContain('2099_01_01_000000_broken')
    expect(err).toMatch(/table "?posts"? already exists/)
    expect(sluice('db:status').out).toMatch(/^pending .*broken$/m)
  })

  test('a migration that is no TypeScript: exit 4 and the file', () => {
    put('export const up = (\n')
    const { code, err } = sluice('db:migrate')
    expect(code).toBe(4)
    expect(err).toContain('broken')
  })

  test('one without down cannot be taken back: exit 4, and it says so', () => {
    put(
      "export const up = async (schema) => { await schema.createTable('one_way').addColumn('id', 'integer').execute() }\n",
    )
    expect(sluice('db:migrate').code).toBe(0)
    const { code, err } = sluice('db:rollback')
    expect(code).toBe(4)
    expect(err).toMatch(/down/)
  })

  test.each(['db:rollback', 'db:fresh', 'db:seed'])('in production %s wants --force', (line) => {
    expect(sluice(line, { NODE_ENV: 'production' })).toMatchObject({
      code: 2,
      err: expect.stringContaining('use --force'),
    })
  })

  test.each([
    ['a URL of no database', 'ftp://example.com', 3, 'DATABASE_URL cannot be read'],
    ['a server that is not there', 'postgres://postgres@127.0.0.1:9/test', 4, '127.0.0.1:9'],
  ])('%s', (_, url, code, message) => {
    expect(sluice('db:migrate', { DATABASE_URL: url })).toMatchObject({ code, err: expect.stringContaining(message) })
  })

  test('a value with a password does not show it', () => {
    const { err } = sluice('db:migrate', { DATABASE_URL: 'postgres://admin:s3cret@127.0.0.1:9/test', DEBUG: '1' })
    expect(err).not.toContain('s3cret')
  })
})

describe('G17: routes, request, size, info', () => {
  test('routes lists method, path, handler and middleware', () => {
    const { code, out } = sluice('routes')
    expect(code).toBe(0)
    expect(out).toMatch(/^METHOD +PATH +HANDLER +MIDDLEWARE$/m)
    expect(out).toMatch(/^GET +\/posts\/:id +One post +logger, helmet, describe$/m)
    expect(out).toMatch(/^GET +\/openapi\.json +openapiDocument +logger, helmet$/m)
    expect(JSON.parse(sluice('routes --json').out)).toContainEqual(
      expect.objectContaining({ method: 'DELETE', path: '/admin/posts/:id', handler: '' }),
    )
  })

  test('request answers on standard output, and what the application logs stays out of it', () => {
    const stored = sluice(['request', 'POST', '/posts', '--data', '{"title":"Hello"}'])
    expect(stored.code).toBe(0)
    expect(JSON.parse(stored.out).data).toMatchObject({ title: 'Hello' })
    expect(stored.err).toContain('POST /posts 201')
    const shown = sluice(['request', 'get', '/health', '-i', '-H', 'accept: text/plain', '-H', 'x-test: 1'])
    expect(shown.out).toMatch(/^200[\s\S]*content-type: application\/json[\s\S]*"status": "ok"/)
    expect(sluice('request GET /').out).toContain('<h1>blog</h1>')
  })

  test('request ends after the response, whatever the application and the caller keep open', async () => {
    writeFileSync(
      join(project, 'src/busy.ts'),
      `import { createServer } from 'node:net'
import { createApp } from 'sluice'
createServer().listen(0)
setInterval(() => {}, 1000)
process.stdin.resume()
export const app = createApp().get('/', () => new Response('done'))
`,
    )
    const words = [...commandArguments, 'request', 'GET', '/', '--app', 'src/busy.ts']
    const { PATH, HOME, TMPDIR } = process.env
    // Its standard input is a pipe that nobody closes
    const child = spawn(process.execPath, words, { cwd: project, env: { PATH, HOME, TMPDIR }, timeout: PATIENCE_MS })
    let out = ''
    child.stdout.on('data', (chunk) => {
      out += chunk
    })
    const ended = await new Promise((resolve) => child.once('close', (...how) => resolve(how)))
    expect({ ended, out }).toEqual({ ended: [0, null], out: 'done\n' })
  })

  test.each([
    ['{bad', '400', 'Invalid JSON'],
    [' [1,', '400', 'Invalid JSON'],
    ['title=Hello', '415', ''],
  ])('a body %j is what it begins as: %s', (body, status, message) => {
    const { code, out } = sluice(['request', 'POST', '/posts', '-i', '-d', body])
    expect(code).toBe(1)
    expect(out).toContain(status)
    expect(out).toContain(message)
  })

  test.each([['GET /nowhere'], ['GET /posts/abc'], ['DELETE /health']])('request %s leaves with 1', (line) => {
    expect(sluice(`request ${line}`).code).toBe(1)
  })

  test('an application that throws when it is imported: exit 1 and what it threw', () => {
    writeFileSync(join(project, 'src/throws.ts'), "throw new Error('no such setting')\n")
    expect(sluice('routes --app src/throws.ts')).toMatchObject({
      code: 1,
      err: expect.stringContaining('no such setting'),
    })
    writeFileSync(join(project, 'src/nothing.ts'), 'export const nothing = 1\n')
    expect(sluice('routes --app src/nothing.ts')).toMatchObject({
      code: 3,
      err: expect.stringContaining('exports no application'),
    })
  })

  test('size measures an entry, keeps to a budget, and leaves with 1 above it', () => {
    writeFileSync(join(project, 'src/worker.ts'), 'export const greet = (name: string): string => "Hello, " + name\n')
    const { code, out } = sluice('size src/worker.ts --json')
    expect(code).toBe(0)
    const { total, parts, budget } = JSON.parse(out)
    expect(parts).toEqual([{ ...total, feature: 'your code' }])
    expect(budget).toBeNull()
    expect(sluice('size src/worker.ts --budget 10')).toMatchObject({
      code: 1,
      err: expect.stringContaining('over its budget of 10'),
    })
    expect(sluice(`size src/worker.ts --budget ${total.gzip}`).code).toBe(0)
    for (const [file, code] of [
      [JSON.stringify({ 'src/worker.ts': total.gzip }), 0],
      [JSON.stringify({ 'src/worker.ts': total.gzip - 1 }), 1],
      ['{', 3],
    ] as const) {
      writeFileSync(join(project, 'sluice-size.json'), file)
      expect(sluice('size src/worker.ts').code).toBe(code)
    }
  })

  test('info says what is installed', () => {
    const { project: root, packages } = JSON.parse(sluice('info --json').out)
    expect(root).toBe(project)
    expect(packages).toMatchObject({ kysely: expect.stringMatching(/^0\.28/), sluice: '0.0.0' })
  })
})

test('help and version load neither eta nor a command', () => {
  for (const line of ['--help', '--version', 'g --help']) {
    const loaded = spawnSync(process.execPath, [...commandArguments, ...line.split(' ')], {
      encoding: 'utf8',
      env: { ...process.env, NODE_DEBUG: 'esm' },
    })
    const urls = loaded.stderr.match(/file:\/\/\S+/g) ?? []
    expect(urls.some((url) => url.includes('/sade/'))).toBe(true)
    expect(
      urls.filter((url) => /\/eta\/|\/kysely\/|generators\/(?:kinds\/|commands\/\w+\/(?!spec|options))/.test(url)),
    ).toEqual([])
  }
})

describe.each(['sqlite', 'postgres', 'mysql'] as const)(
  'G15, kysely #729, #1894, knex #3538: four processes migrate %s at once',
  (service) => {
    test('each migration runs once, and all four leave with 0', { timeout: 60_000 }, async () => {
      const root = temporaryFolder()
      linkPackages(root)
      const names = ['One', 'Two', 'Three'].map((name) => `Create${name}Table`)
      for (const name of names) expect((await runCommand(root, ['g', 'migration', name])).code).toBe(0)
      if (service !== 'sqlite') expect(hasService(service), `${service} is not there to be migrated`).toBe(true)
      const scratch =
        service === 'sqlite'
          ? { url: 'sqlite:./race.sqlite', drop: async () => {} }
          : await createScratchDatabase(service)
      try {
        const outcomes = await Promise.all([1, 2, 3, 4].map(() => migrateIn(root, scratch.url)))
        expect(outcomes.map(({ code, err }) => ({ code, err }))).toEqual(Array(4).fill({ code: 0, err: '' }))
        const ran = outcomes.flatMap(({ out }) => out.match(/_create_\w+_table/g) ?? [])
        expect(ran.toSorted()).toEqual(['_create_one_table', '_create_three_table', '_create_two_table'])
      } finally {
        await scratch.drop()
      }
    })
  },
)

/** Migrate in a process of its own, side by side with others. */
const migrateIn = (cwd: string, url: string): Promise<{ code: number | null; out: string; err: string }> =>
  new Promise((resolve) => {
    const { PATH, HOME, TMPDIR } = process.env
    const child = spawn(process.execPath, [...commandArguments, 'db:migrate'], {
      cwd,
      env: { PATH, HOME, TMPDIR, DATABASE_URL: url },
      timeout: 50_000,
    })
    const printed = { out: '', err: '' }
    child.stdout.on('data', (chunk) => {
      printed.out += chunk
    })
    child.stderr.on('data', (chunk) => {
      printed.err += chunk
    })
    child.once('close', (code) => resolve({ code, ...printed }))
  })
