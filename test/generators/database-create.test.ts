import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { serverOf } from '../../generators/database/server.ts'
import { describeService } from '../services.ts'
import { runCommand } from './run-command.ts'
import { commandArguments, linkPackages, temporaryFolder } from './sandbox.ts'

/** A project whose packages are linked. */
const project = (): string => {
  const root = temporaryFolder()
  writeFileSync(join(root, 'package.json'), '{"type":"module"}')
  linkPackages(root)
  return root
}

for (const service of ['postgres', 'mysql'] as const) {
  describeService(service, 'item 4: db:create', (server) => {
    const name = `sluice_create_${process.pid}_${Math.random().toString(36).slice(2, 8)}`
    const url = new URL(server)
    url.pathname = `/${name}`
    const sluice = (root: string, line: string) => runCommand(root, line.split(' '), { DATABASE_URL: url.href })

    test('a missing database is reported, created, found again, and migrated', async () => {
      const root = project()
      expect((await sluice(root, 'g migration CreateThingsTable name:string')).code).toBe(0)
      const missing = await sluice(root, 'db:status')
      expect(missing.code).toBe(4)
      expect(missing.err).toContain('sluice db:create')
      expect(await sluice(root, 'db:create')).toEqual({ code: 0, out: `create    database ${name}\n`, err: '' })
      expect(await sluice(root, 'db:create')).toEqual({ code: 0, out: `identical database ${name}\n`, err: '' })
      expect(JSON.parse((await sluice(root, 'db:create --json')).out)).toMatchObject({ ok: true, action: 'exists' })
      expect((await sluice(root, 'db:migrate')).out).toContain('create_things_table')
      const { createDatabase } = await import('../../src/database.ts')
      const { sql } = await import('kysely')
      const db = createDatabase(server)
      await sql.raw(`drop database ${name}`).execute(db)
      await db.destroy()
    })

    test('a test database with an open connection is dropped, and nothing of it remains', async () => {
      const root = project()
      expect((await sluice(root, 'g resource Thing')).code).toBe(0)
      const script = join(root, 'script.ts')
      writeFileSync(
        script,
        `import { sql } from 'kysely'
import { createDatabase, useDatabase } from 'sluice/database'
import { openTestDatabase } from './test/database.ts'
const close = await openTestDatabase()
const { rows } = await sql\`select ${service === 'postgres' ? 'current_database()' : 'database()'} as name\`.execute(useDatabase())
const other = createDatabase(process.env.DATABASE_URL.replace(/[^/]*$/, rows[0].name))
await other.connection().execute(async (open) => {
  await sql\`select 1\`.execute(open)
  await close()
})
console.log(rows[0].name)
process.exit()
`,
      )
      const { status, stdout, stderr } = spawnSync(process.execPath, [...commandArguments.slice(0, 3), script], {
        cwd: root,
        encoding: 'utf8',
        env: { ...process.env, DATABASE_URL: url.href },
      })
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
      const { createDatabase } = await import('../../src/database.ts')
      const { sql } = await import('kysely')
      const db = createDatabase(server)
      const names = service === 'postgres' ? sql`select datname as name from pg_database` : sql`show databases`
      const left = (await names.execute(db)).rows.flatMap((row) => Object.values(row as object))
      await db.destroy()
      expect(stdout).toMatch(/^test_\d+_/)
      expect(left).not.toContain(stdout.trim())
    })
  })
}

test.each([
  ['postgres://localhost/shop', 'create database "shop"'],
  ['mysql://localhost/shop', 'create database `shop` character set utf8mb4'],
])('the database of %s stores every character, whatever the default of the server', (url, statement) => {
  expect(serverOf(url).statement).toBe(statement)
})

test.each(['sqlite:./x.sqlite', 'sqlite::memory:'])('%s needs none', async (url) => {
  expect(await runCommand(project(), ['db:create', '--url', url])).toMatchObject({
    code: 0,
    out: 'SQLite creates its file when it is opened\n',
  })
})

test.each([
  ['a name with a quote', 'postgres://localhost/a"; drop database b', 2],
  ['a name with a backtick', 'mysql://localhost/a`b', 2],
  ['no name', 'postgres://localhost/', 2],
  ['no URL', 'nothing', 3],
])('%s is refused', async (_, url, code) => {
  expect((await runCommand(project(), ['db:create', '--url', url])).code).toBe(code)
})

test('a server that cannot be reached: exit 4, without the password in the message', async () => {
  const url = 'postgres://admin:s3cret@127.0.0.1:9/blog'
  const { code, err } = await runCommand(project(), ['db:create', '--url', url])
  expect(code).toBe(4)
  expect(err).toContain('127.0.0.1:9')
  expect(err).not.toContain('s3cret')
})
