import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { explain } from '../../generators/database/database.ts'
import { stripsTypes } from '../../generators/project/loader.ts'
import { type Outcome, runCommand } from './run-command.ts'
import { linkPackages, temporaryFolder } from './sandbox.ts'

/** A migration and a seed as `tsc` leaves them. */
const migration = (table: string): string =>
  `export const up = (schema) => schema.createTable('${table}').addColumn('id', 'integer').execute()
export const down = (schema) => schema.dropTable('${table}').execute()\n`
const SEED = 'export const seed = async () => {}\n'

const MODEL = "export class One { static tableName = 'ones' }\n"
/** An application without an import, as far as commands use one. */
const appOf = (name: string): string => `export const app = {
  plan: { uses: [], routes: [] },
  routes: () => [{ method: 'GET', path: '/${name}', handler: '', middleware: [], duplicate: false }],
  fetch: () => new Response('${name}'),
}
`

let parent = ''
beforeAll(() => {
  parent = temporaryFolder()
  linkPackages(parent)
})

let count = 0

/** A project below the linked packages with these files. */
const project = (files: Record<string, string>): string => {
  const root = join(parent, `p${count++}`)
  for (const [path, text] of Object.entries({ 'package.json': '{"type":"module"}', ...files })) {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

const sluice = (root: string, line: string): Promise<Outcome> =>
  runCommand(root, [...line.split(' '), '--cwd', root], { DATABASE_URL: `sqlite:${join(root, 'test.sqlite')}` })

describe('P8: the migrations of a production image', () => {
  test('are found in dist when there is no src', async () => {
    const root = project({ 'dist/database/migrations/2026_01_01_000000_one.js': migration('ones') })
    expect((await sluice(root, 'db:migrate')).out).toMatch(/^migrate {2}2026_01_01_000000_one /)
    expect((await sluice(root, 'db:status')).out).toContain('executed')
    expect((await sluice(root, 'db:rollback')).out).toMatch(/^rollback 2026_01_01_000000_one /)
  })

  test('are read from src if both folders exist', async () => {
    const root = project({
      'src/database/migrations/2026_01_01_000000_source.js': migration('ones'),
      'dist/database/migrations/2026_01_01_000000_built.js': migration('ones'),
    })
    expect((await sluice(root, 'db:migrate --dry-run')).out).toContain('2026_01_01_000000_source')
  })

  test('are read from dist if nothing can run the TypeScript of src', async () => {
    const root = join(temporaryFolder(), 'image')
    mkdirSync(join(root, 'src/database/migrations'), { recursive: true })
    mkdirSync(join(root, 'dist/database/migrations'), { recursive: true })
    writeFileSync(join(root, 'package.json'), '{"type":"module"}')
    writeFileSync(join(root, 'src/database/migrations/2026_01_01_000000_source.ts'), migration('ones'))
    writeFileSync(join(root, 'dist/database/migrations/2026_01_01_000000_built.js'), migration('ones'))
    linkPackages(root)
    rmSync(join(root, 'node_modules/tsx'))
    const name = stripsTypes() ? 'source' : 'built'
    expect((await sluice(root, 'db:migrate --dry-run')).out).toContain(`2026_01_01_000000_${name}`)
  })

  test.each(['build/sql', './build/sql/', 'ABSOLUTE'])('are those of --folder %s', async (given) => {
    const root = project({
      'build/sql/2026_01_01_000000_given.js': migration('ones'),
      'src/database/migrations/2026_01_01_000000_source.js': migration('ones'),
    })
    const folder = given === 'ABSOLUTE' ? join(root, 'build/sql') : given
    expect((await sluice(root, `db:migrate --folder ${folder}`)).out).toContain('2026_01_01_000000_given')
    expect((await sluice(root, `db:status --folder ${folder}`)).out).toContain('executed')
    expect((await sluice(root, `db:rollback --folder ${folder}`)).out).toContain('2026_01_01_000000_given')
    expect((await sluice(root, `db:fresh --folder ${folder}`)).out).toContain('2026_01_01_000000_given')
  })

  test('the application and the models of an image are found in dist as well', async () => {
    const root = project({ 'dist/app.js': appOf('built'), 'dist/app/models/One.js': MODEL })
    expect((await sluice(root, 'routes')).out).toContain('/built')
    expect((await sluice(root, 'request GET /built')).out).toBe('built\n')
    expect((await sluice(root, 'db:diff')).err).toContain('dist/database/migrations')
  })

  test.each([
    ['src', 'source', '{}'],
    ['lib', 'other', '{ "app": "lib/app.js" }'],
  ])('the application in %s comes before the one in dist', async (folder, name, settings) => {
    const root = project({
      'package.json': `{ "type": "module", "sluice": ${settings} }`,
      [`${folder}/app.${folder === 'src' ? 'ts' : 'js'}`]: appOf(name),
      'dist/app.js': appOf('built'),
    })
    expect((await sluice(root, 'routes')).out).toContain(`/${name}`)
    expect((await sluice(root, 'routes --app dist/app.js')).out).toContain('/built')
  })

  test('the application is read from dist if nothing can run the TypeScript of src', async () => {
    const root = join(temporaryFolder(), 'image')
    for (const folder of ['src', 'dist']) mkdirSync(join(root, folder), { recursive: true })
    writeFileSync(join(root, 'package.json'), '{"type":"module"}')
    writeFileSync(join(root, 'src/app.ts'), appOf('source'))
    writeFileSync(join(root, 'dist/app.js'), appOf('built'))
    linkPackages(root)
    rmSync(join(root, 'node_modules/tsx'))
    expect((await sluice(root, 'routes')).out).toContain(stripsTypes() ? '/source' : '/built')
  })

  test.each(['db:migrate', 'db:migrate --dry-run', 'db:status', 'db:rollback', 'db:fresh', 'db:seed'])(
    '%s without any folder leaves with 3 and names what it looked for',
    async (line) => {
      const { code, err, out } = await sluice(project({}), line)
      expect({ code, out }).toEqual({ code: 3, out: '' })
      expect(err).toContain(`src/database/${line === 'db:seed' ? 'seeds' : 'migrations'}`)
      expect(err).toContain('--folder')
    },
  )

  test.each(['db:migrate --folder nowhere', 'db:seed --folder nowhere', 'db:migrate --folder package.json'])(
    '%s leaves with 3 and names the folder',
    async (line) => {
      const root = project({ 'src/database/migrations/2026_01_01_000000_one.js': migration('ones') })
      const { code, err } = await sluice(root, line)
      expect({ code, err }).toEqual({ code: 3, err: expect.stringContaining(line.split(' ').at(-1) ?? '') })
    },
  )

  test('an empty folder is no mistake: nothing to migrate, exit 0', async () => {
    const root = project({ 'src/database/migrations/.gitkeep': '' })
    expect(await sluice(root, 'db:migrate')).toMatchObject({ code: 0, out: 'Nothing to migrate\n' })
  })

  test('a database without migrations is not dropped when its seeds are not there', async () => {
    const root = project({ 'src/database/migrations/2026_01_01_000000_one.js': migration('ones') })
    await sluice(root, 'db:migrate')
    // With the time of its execution: a fresh database would have executed the migration too
    const { out } = await sluice(root, 'db:status')
    expect(out).toContain('executed')
    expect((await sluice(root, 'db:fresh --seed')).code).toBe(3)
    expect((await sluice(root, 'db:status')).out).toBe(out)
  })

  test('seeds are found in dist as well', async () => {
    const root = project({ 'dist/database/seeds/first.js': SEED, 'dist/database/seeds/second.js': SEED })
    expect(await sluice(root, 'db:seed')).toMatchObject({ code: 0, out: 'seed     first\nseed     second\n' })
  })
})

describe('item 4: an error of a database, in the words of its user', () => {
  const refusal = (more: object) => Object.assign(new Error('The server has no database "x"'), more)

  test.each([
    ['PostgreSQL', { code: '3D000', file: 'postinit.c', line: '941', routine: 'InitPostgres' }],
    ['MariaDB', { errno: 1049, sqlState: '42000', sql: undefined }],
  ])('%s: the command that creates the database is named, and no source file of the server', (_, more) => {
    const { exitCode, message } = explain(refusal(more))
    expect({ exitCode, message }).toEqual({
      exitCode: 4,
      message: 'The server has no database "x"\n  sluice db:create creates it',
    })
  })

  test('a migration that failed has its file and statement', () => {
    const { message } = explain(refusal({ name: 'MigrationError', file: '/p/one.ts', sql: 'create table x' }))
    expect(message).toBe('The server has no database "x"\n  in /p/one.ts\n  at create table x')
  })
})
