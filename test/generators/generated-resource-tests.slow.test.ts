import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeDatabases } from '../database/databases.ts'
import { runCommand } from './run-command.ts'
import { CHEAP_SCRYPT, CHECKOUT, linkPackages, temporaryFolder } from './sandbox.ts'

/** A field of each type, several that are unique, references, and each switch that changes a test. */
const LINES = [
  'resource Owner name:string(1) age:integer? born:date',
  'resource Product name:string! price:decimal(10,2) status:enum(draft,live) owner:references(Owner) tags:json ' +
    'sku:string:unique code:string(3):unique mail:email:unique? home:url? token:uuid:unique rank:integer:unique ' +
    'weight:number? done:boolean born:date note:text? parent:references(Product)? --lock',
  'resource Note text:text title:string? --lock --no-timestamps',
  'resource Size width:integer --lock --soft-delete',
  'resource admin/Link home:url kind:enum(a) --soft-delete',
  'resource Plain',
  'resource Ticket code:uuid:unique --lock',
  'resource Empty',
  'resource Pair left:references(Owner) right:references(Owner)?',
  'resource Box size:decimal(3,3) tags:json page:integer',
  'resource Article title:string --key slug',
  'resource Comment body:text --under Article',
  'resource Task title:string done:boolean --owner Account',
  'resource admin/Job title:string --owner Account --lock',
  'resource Letter title:string --owner Member',
]

const runTests = (root: string, files: readonly string[], url: string) => {
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
  const env = { PATH: process.env.PATH, NODE_ENV: 'test', DATABASE_URL: url }
  return spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', env })
}

test('issue 34: the tests of a resource fail if any of its handlers throws', { timeout: 300_000 }, async () => {
  const root = temporaryFolder()
  linkPackages(root)
  writeFileSync(join(root, 'package.json'), '{"type":"module"}')
  const line = 'resource Product name:string price:decimal(10,2)'
  expect((await runCommand(root, ['g', ...line.split(' '), '--cwd', root])).code).toBe(0)
  const path = join(root, 'src/app/routes/product.ts')
  const routes = readFileSync(path, 'utf8')
  const calls = [...routes.matchAll(/Product\.(?=page|create|findOrFail)/g)]
  // The handler of PUT and PATCH, a list, a new record, one record and DELETE
  expect(calls).toHaveLength(5)
  const outcomes = []
  for (const { index } of calls) {
    const broken = `${routes.slice(0, index)}broken().${routes.slice(index + 'Product.'.length)}`
    writeFileSync(path, `${broken}\nconst broken = (): never => {\n  throw new Error('broken')\n}\n`)
    outcomes.push(runTests(root, ['product.test.ts'], 'sqlite::memory:').status)
  }
  expect(outcomes).toEqual(calls.map(() => 1))
  writeFileSync(path, routes)
  expect(runTests(root, ['product.test.ts'], 'sqlite::memory:').status).toBe(0)
})

test.each([
  // The token, the account, registration, a mail for a new password, that password, login, logout
  ['auth User', 7],
  ['auth User username:string:unique --jwt', 5],
])('issue 34: the tests of g %s fail if any of its handlers throws', { timeout: 300_000 }, async (line, handlers) => {
  const root = temporaryFolder()
  linkPackages(root)
  writeFileSync(join(root, 'package.json'), '{"type":"module"}')
  expect((await runCommand(root, ['g', ...line.split(' '), '--cwd', root])).code).toBe(0)
  const path = join(root, 'src/app/routes/user-auth.ts')
  const routes = readFileSync(path, 'utf8')
  const answers = [...routes.matchAll(/ctx\.json\(|new Response\(/g)]
  expect(answers).toHaveLength(handlers)
  const outcomes = []
  for (const { index } of answers) {
    const broken = `${routes.slice(0, index)}broken() ?? ${routes.slice(index)}`
    writeFileSync(path, `${broken}\nconst broken = (): undefined => {\n  throw new Error('broken')\n}\n`)
    outcomes.push(runTests(root, ['user-auth.test.ts'], 'sqlite::memory:').status)
  }
  expect(outcomes).toEqual(answers.map(() => 1))
  writeFileSync(path, routes)
  expect(runTests(root, ['user-auth.test.ts'], 'sqlite::memory:').status).toBe(0)
})

describeDatabases('issue 15: the tests that a resource comes with', (bench) => {
  test('pass, on a database of their own', { timeout: 300_000 }, async () => {
    const root = temporaryFolder()
    linkPackages(root)
    mkdirSync(join(root, 'src'))
    writeFileSync(join(root, 'package.json'), '{"type":"module"}')
    for (const line of ['model Empty --lock', 'auth Account name:string', 'auth Member name:string:unique --jwt'])
      expect((await runCommand(root, ['g', ...line.split(' '), '--cwd', root])).code).toBe(0)
    for (const line of LINES) {
      const { code, err } = await runCommand(root, ['g', ...line.split(' '), '--cwd', root])
      expect({ line, code, err }).toEqual({ line, code: 0, err: '' })
    }
    // Those of the accounts run with the other kinds
    const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.test.ts') && !file.endsWith('-auth.test.ts'),
    )
    expect(files).toHaveLength(LINES.length)
    const { status, stdout } = runTests(root, files, bench.url)
    expect({ status, stdout: status === 0 ? '' : stdout }).toEqual({ status: 0, stdout: '' })
  })
})
