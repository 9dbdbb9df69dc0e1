import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeDatabases } from '../database/databases.ts'
import { runCommand } from './run-command.ts'
import { CHECKOUT, linkPackages, temporaryFolder } from './sandbox.ts'

/** A field of each type, several that are unique, references, and each switch that changes a test. */
const LINES = [
  'resource Owner name:string(1) age:integer? born:date',
  'resource Product name:string! price:decimal(10,2) status:enum(draft,live) owner:references(Owner) tags:json ' +
    'sku:string:unique code:string(3):unique mail:email:unique? home:url? token:uuid:unique rank:integer:unique ' +
    'weight:number? done:boolean born:date note:text? parent:references(Product)? --replace --lock',
  'resource Note text:text title:string? --replace --lock --no-timestamps',
  'resource Size width:integer --lock --soft-delete',
  'resource admin/Link home:url kind:enum(a) --soft-delete --replace',
  'resource Plain',
  'resource Ticket code:uuid:unique --lock --replace',
  'resource Empty --replace',
  'resource Pair left:references(Owner) right:references(Owner)?',
  'resource Box size:decimal(3,3) tags:json page:integer',
]

describeDatabases('issue 15: the tests that a resource comes with', (bench) => {
  test('pass, on a database of their own', { timeout: 300_000 }, async () => {
    const root = temporaryFolder()
    linkPackages(root)
    mkdirSync(join(root, 'src'))
    writeFileSync(join(root, 'package.json'), '{"type":"module"}')
    expect((await runCommand(root, ['g', 'model', 'Empty', '--lock', '--cwd', root])).code).toBe(0)
    for (const line of LINES) {
      const { code, err } = await runCommand(root, ['g', ...line.split(' '), '--cwd', root])
      expect({ line, code, err }).toEqual({ line, code: 0, err: '' })
    }
    const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.test.ts'),
    )
    expect(files).toHaveLength(LINES.length)
    const loader = join(CHECKOUT, 'node_modules/tsx/dist/loader.mjs')
    const args = ['--conditions=sluice-source', '--import', loader, '--test', ...files.map((file) => `test/${file}`)]
    const env = { PATH: process.env.PATH, NODE_ENV: 'test', DATABASE_URL: bench.url }
    const { status, stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', env })
    expect({ status, stdout: status === 0 ? '' : stdout }).toEqual({ status: 0, stdout: '' })
  })
})
