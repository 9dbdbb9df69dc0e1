import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeDatabases } from '../database/databases.ts'
import { filesIn, runCommand } from './run-command.ts'
import { linkPackages, temporaryFolder } from './sandbox.ts'

/** A project with these lines generated, whose models use the bench's database. */
const generate = async (...lines: string[]): Promise<string> => {
  const root = temporaryFolder()
  linkPackages(root)
  writeFileSync(join(root, 'package.json'), '{"type":"module"}')
  for (const line of lines)
    expect(await runCommand(root, ['g', ...line.split(' '), '--cwd', root])).toMatchObject({ code: 0, err: '' })
  return root
}

describeDatabases('issue 15: a generated factory', (bench) => {
  test('makes values that are unique among those of an earlier run on the same database', async () => {
    const fields = 'email:email:unique rank:integer:unique'
    const root = await generate(`model Owner ${fields}`, `migration CreateOwnersTable ${fields}`, 'factory Owner')
    const sluice = (line: string, env = {}) =>
      runCommand(root, [...line.split(' '), '--cwd', root], { DATABASE_URL: bench.url, ...env })
    expect((await sluice('db:migrate')).code).toBe(0)
    // Each run is a seed with a copy of the factory, which has counted nothing yet
    const run = async (name: string, count: number): Promise<void> => {
      const factories = join(root, 'src/database/factories')
      cpSync(join(factories, 'owner.ts'), join(factories, `${name}.ts`))
      mkdirSync(join(root, name))
      writeFileSync(
        join(root, name, 'owners.ts'),
        `import { createOwner } from '../src/database/factories/${name}.ts'
export const seed = async () => {
  await Promise.all(Array.from({ length: ${count} }, () => createOwner()))
}
`,
      )
      expect(await sluice(`db:seed --folder ${name}`)).toMatchObject({ code: 0, err: '' })
    }
    const ranks = async () =>
      (await bench.db.selectFrom('owners').select(['id', 'rank', 'email']).orderBy('id').execute()) as {
        id: number
        rank: number
        email: string
      }[]
    await run('first', 3)
    const [lowest] = await ranks()
    await bench.db.deleteFrom('owners').where('id', '=', lowest?.id).execute()
    await run('second', 3)
    const rows = await ranks()
    expect(rows).toHaveLength(5)
    expect(new Set(rows.map(({ rank }) => rank)).size).toBe(5)
    expect(new Set(rows.map(({ email }) => email)).size).toBe(5)
  })

  test('makes a record that others refer to once, and uses the first that is there', async () => {
    const owner = 'name:string --no-timestamps'
    const pet = 'name:string keeper:references(Keeper) --no-timestamps'
    const root = await generate(
      `model Keeper ${owner}`,
      `migration CreateKeepersTable ${owner}`,
      `model Pet ${pet}`,
      `migration CreatePetsTable ${pet}`,
      'factory Keeper',
      'factory Pet',
    )
    const sluice = (line: string) => runCommand(root, [...line.split(' '), '--cwd', root], { DATABASE_URL: bench.url })
    for (const { name } of await bench.db.introspection.getTables({ withInternalKyselyTables: true }))
      await bench.db.schema.dropTable(name).ifExists().execute()
    expect((await sluice('db:migrate')).code).toBe(0)
    mkdirSync(join(root, 'pets'))
    writeFileSync(
      join(root, 'pets/pets.ts'),
      `import { createPet } from '../src/database/factories/pet.ts'
export const seed = async () => {
  for (let n = 0; n < 3; n++) await createPet()
}
`,
    )
    expect(await sluice('db:seed --folder pets')).toMatchObject({ code: 0, err: '' })
    const keepers = await bench.db.selectFrom('keepers').selectAll().execute()
    expect(keepers).toHaveLength(1)
    const pets = await bench.db.selectFrom('pets').select('keeperId').execute()
    expect(pets).toEqual(Array.from({ length: 3 }, () => ({ keeperId: keepers[0]?.id })))
    await bench.db.schema.dropTable('pets').execute()
  })

  test('commands that delete rows need --force in production, and without it nothing changes', async () => {
    const root = await generate(
      'model Note text:string --no-timestamps',
      'migration CreateNotesTable text:string --no-timestamps',
      'seed Note',
    )
    const sluice = (line: string) =>
      runCommand(root, [...line.split(' '), '--cwd', root], { DATABASE_URL: bench.url, NODE_ENV: 'production' })
    // The migration of the test above is not in this project
    await bench.db.schema.dropTable('owners').ifExists().execute()
    for (const { name } of await bench.db.introspection.getTables({ withInternalKyselyTables: true }))
      await bench.db.schema.dropTable(name).ifExists().execute()
    expect((await sluice('db:migrate')).code).toBe(0)
    await bench.db.insertInto('notes').values({ text: 'kept' }).execute()
    const texts = async () => (await bench.db.selectFrom('notes').select('text').execute()).map(({ text }) => text)
    for (const line of ['db:rollback', 'db:rollback --all', 'db:fresh', 'db:fresh --seed', 'db:seed'])
      expect({ line, ...(await sluice(line)) }).toEqual({
        line,
        code: 2,
        out: '',
        err: 'sluice: NODE_ENV is production: use --force to run this\n',
      })
    expect((await sluice('db:rollback --dry-run')).out).toContain('drop table')
    expect(await texts()).toEqual(['kept'])
    expect((await sluice('db:seed --force')).code).toBe(0)
    expect(await texts()).toHaveLength(10)
    expect((await sluice('db:fresh -f')).code).toBe(0)
    expect(await texts()).toEqual([])
    expect((await sluice('db:rollback --force')).out).toContain('rollback')
  })
})

test('a factory of a model that refers to itself leaves the reference to the caller', async () => {
  const root = await generate('model Category name:string parent:references(Category)?', 'factory Category')
  const factory = () => readFileSync(join(root, 'src/database/factories/category.ts'), 'utf8')
  const optional = factory()
  expect(optional).not.toMatch(/parentId|createCategory\(\)/)
  // By hand it may be required; the command refuses to write that
  const model = join(root, 'src/app/models/Category.ts')
  writeFileSync(model, readFileSync(model, 'utf8').replace('parentId!: number | null', 'parentId!: number'))
  expect(await runCommand(root, ['g', 'factory', 'Category', '--force'])).toMatchObject({ code: 0, err: '' })
  expect(factory()).toBe(optional)
  expect(Object.keys(filesIn(join(root, 'src/database')))).toEqual(['factories/category.ts'])
})
