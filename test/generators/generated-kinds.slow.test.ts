import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { describeDatabases } from '../database/databases.ts'
import { runCommand } from './run-command.ts'
import { CHEAP_SCRYPT, CHECKOUT, linkPackages, temporaryFolder } from './sandbox.ts'

/** Records that need each other, with values that have to be unique. */
const LINES = [
  'model Owner name:string born:date email:email:unique code:string(3):unique',
  'model admin/BlogPost title:string rank:integer:unique tags:json owner:references(Owner) editor:references(Owner)',
  'migration CreateOwnersTable name:string born:date email:email:unique code:string(3):unique',
  'migration CreateBlogPostsTable title:string rank:integer:unique tags:json owner:references(Owner) editor:references(Owner)',
  'seed admin/BlogPost',
  'seed Nothing',
  'seed Owner',
  'provider admin/Mail',
  'auth User name:string(80) born:date?',
  // Two models of one name in two folders have tables of one name, unless they are told apart.
  'model admin/User email:email:unique --table staff',
  'migration CreateStaff email:email:unique --table staff',
  'auth admin/User',
  'auth Member username:string(40):unique nick:string(20):unique? motto:text? --jwt',
]

describeDatabases('G19, issue 15: the generated factories, seeds, providers and sign-in run', (bench) => {
  let root = ''
  beforeAll(async () => {
    root = temporaryFolder()
    linkPackages(root)
    for (const folder of ['src', 'test']) mkdirSync(join(root, folder))
    writeFileSync(join(root, 'package.json'), '{"type":"module"}')
    for (const line of LINES) {
      const { code, err } = await runCommand(root, ['g', ...line.split(' '), '--cwd', root])
      expect({ line, code, err }).toEqual({ line, code: 0, err: '' })
    }
  })

  test('the generated tests pass, on a database of their own', { timeout: 300_000 }, () => {
    const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.test.ts'))
      .sort()
    expect(files).toEqual([
      'admin/user-auth.test.ts',
      'member-auth.test.ts',
      'providers/admin/mail.test.ts',
      'user-auth.test.ts',
    ])
    const loader = join(CHECKOUT, 'node_modules/tsx/dist/loader.mjs')
    const args = [
      '--conditions=sluice-source',
      '--import',
      loader,
      '--import',
      CHEAP_SCRYPT,
      '--test',
      ...files.map((file) => `test/${file}`),
    ]
    // As `sluice test` sets it.
    const env = { PATH: process.env.PATH, NODE_ENV: 'test', DATABASE_URL: bench.url }
    const { status, stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', env })
    expect({ status, stdout: status === 0 ? '' : stdout }).toEqual({ status: 0, stdout: '' })
  })

  const sluice = (line: string) => runCommand(root, [...line.split(' '), '--cwd', root], { DATABASE_URL: bench.url })

  const out = 'seed     admin-blog-post\nseed     nothing\nseed     owner\n'
  const count = async (table: string) => (await bench.db.selectFrom(table).select('id').execute()).length

  test('db:seed fills an empty database with ten records and what they refer to, and adds none when it runs again', async () => {
    expect((await sluice('db:migrate')).code).toBe(0)
    for (let times = 0; times < 2; times++) expect(await sluice('db:seed')).toMatchObject({ code: 0, out })
    expect({ posts: await count('blog_posts'), owners: await count('owners') }).toEqual({ posts: 10, owners: 10 })
  })

  test('a seed fills up to ten what an earlier run, in another process, has left', async () => {
    await bench.db.deleteFrom('blog_posts').execute()
    await bench.db.deleteFrom('owners').where('id', 'in', [1, 3, 4, 9]).execute()
    const args = ['--conditions=sluice-source', '--import', join(CHECKOUT, 'node_modules/tsx/dist/loader.mjs')]
    const line = [...args, join(CHECKOUT, 'generators/cli.ts'), 'db:seed', '--cwd', root]
    const env = { PATH: process.env.PATH, DATABASE_URL: bench.url }
    const { status, stdout, stderr } = spawnSync(process.execPath, line, { cwd: root, encoding: 'utf8', env })
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: out, stderr: '' })
    expect({ posts: await count('blog_posts'), owners: await count('owners') }).toEqual({ posts: 10, owners: 10 })
  })

  test('db:diff finds that every generated model fits its migration', async () => {
    const { code, out, err } = await sluice('db:diff')
    expect({ code, out, err }).toEqual({ code: 0, out: 'The database has all that 8 models declare\n', err: '' })
  })
})
