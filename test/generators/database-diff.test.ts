import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { compareSchema } from '../../generators/database/schema-diff.ts'
import { describeDatabases } from '../database/databases.ts'
import { BIOME, EVERYTHING } from './generated-project.ts'
import { filesIn, type Outcome, runCommand } from './run-command.ts'
import { linkPackages, temporaryFolder } from './sandbox.ts'

/** A model with a column of each kind, written by hand, in one line. */
const BY_HAND = `import { Model } from 'sluice/database'

export class Thing extends Model {
  static tableName = 'things'
  static softDelete = true
  static version = true
  static columns = { homeUrl: 'string', size: 'number', open: 'boolean', at: 'date', more: 'json', raw: 'bytes' } as const
}
export const notAModel = 7
`

interface Column {
  readonly column: string
}

const FIELDS = EVERYTHING.replace('! ', ' ')

describeDatabases('issue 15: db:diff', (bench) => {
  let root = ''
  const sluice = (line: string): Promise<Outcome> =>
    runCommand(root, [...line.split(' '), '--cwd', root], { DATABASE_URL: bench.url })
  const done = async (line: string): Promise<string> => {
    const { code, out, err } = await sluice(line)
    expect({ line, code, err }).toEqual({ line, code: 0, err: '' })
    return out
  }
  const differences = async () => {
    const { code, out } = await sluice('db:diff --json')
    return { code, list: JSON.parse(out).differences }
  }

  beforeAll(async () => {
    root = temporaryFolder()
    linkPackages(root)
    writeFileSync(join(root, 'package.json'), '{"type":"module"}')
    writeFileSync(join(root, 'biome.json'), BIOME)
    mkdirSync(join(root, 'src/database/migrations'), { recursive: true })
    // The model that is referred to sorts behind the one that refers to it.
    for (const line of [
      'model Owner name:string',
      'model admin/Reviewer boss:references(Owner)',
      `model Item ${FIELDS}`,
    ])
      await done(`g ${line}`)
  })

  test('on an empty database every table is missing, and the exit code is 4', async () => {
    const { code, out } = await sluice('db:diff')
    expect({ code, out }).toEqual({
      code: 4,
      out: 'missing  items      the table of Item\nmissing  owners     the table of Owner\nmissing  reviewers  the table of Reviewer\n',
    })
  })

  test('--write --dry-run shows the migrations and writes nothing', async () => {
    const before = filesIn(join(root, 'src'))
    expect(await done('db:diff --write --dry-run')).toContain("createTable('items')")
    expect(filesIn(join(root, 'src'))).toEqual(before)
  })

  test('--write writes migrations that create the tables in the order of their references; afterwards nothing differs', async () => {
    expect((await done('db:diff --write')).replace(/\d{4}_\d\d_\d\d_\d{6}/g, 'time')).toBe(
      ['owners', 'reviewers', 'items']
        .map((table) => `create    src/database/migrations/time_create_${table}_table.ts\n`)
        .concat('Next: npx sluice db:migrate\n')
        .join(''),
    )
    // As long as they wait, what they will make is no difference.
    const { code, err } = await sluice('db:diff')
    expect({ code, err }).toEqual({ code: 4, err: expect.stringContaining('is pending: run sluice db:migrate first') })
    await done('db:migrate')
    expect(await done('db:diff')).toBe('The database has all that 3 models declare\n')
    expect(await done('db:diff --write')).toBe('Nothing is missing\n')
  })

  test('a model that was written by hand gets a table with a column of each kind', async () => {
    writeFileSync(join(root, 'src/app/models/Thing.ts'), BY_HAND)
    await done('db:diff --write')
    await done('db:migrate')
    expect(await differences()).toEqual({ code: 0, list: [] })
    await bench.db.insertInto('things').values({ homeUrl: 'x', version: 1 }).execute()
  })

  test('columns that are missing, of another type, or not declared are reported as such', async () => {
    await bench.db.schema.alterTable('things').dropColumn('home_url').execute()
    await bench.db.schema.alterTable('things').dropColumn('deleted_at').execute()
    await bench.db.schema.alterTable('things').dropColumn('size').execute()
    await bench.db.schema.alterTable('things').addColumn('size', 'text').execute()
    await bench.db.schema.alterTable('things').addColumn('legacy', 'integer').execute()
    const { code, list } = await differences()
    expect(code).toBe(4)
    expect(list.slice(0, 3).toSorted((a: Column, b: Column) => (a.column < b.column ? -1 : 1))).toEqual([
      { state: 'missing', table: 'things', column: 'deleted_at', model: 'Thing', expected: 'date' },
      { state: 'missing', table: 'things', column: 'home_url', model: 'Thing', expected: 'string' },
      { state: 'differs', table: 'things', column: 'size', model: 'Thing', expected: 'number', found: 'text' },
    ])
    expect(list.slice(3)).toEqual([
      { state: 'extra', table: 'things', column: 'legacy', found: expect.stringMatching(/^int/) },
    ])
  })

  test('--write adds the columns, keeps the rows, and says what is left; what is extra is no fault', async () => {
    const { code, out } = await sluice('db:diff --write')
    expect(code).toBe(4)
    expect(out).toMatch(
      /^create {4}\S+_to_things\.ts\nWrite a migration for these yourself:\n {2}differs {2}things\.size/,
    )
    await done('db:migrate')
    await bench.db.schema.alterTable('things').dropColumn('size').execute()
    await bench.db.schema.alterTable('things').addColumn('size', 'integer').execute()
    expect(await done('db:diff')).toMatch(/^extra {2}things\.legacy {2}int\w*, which no model declares\n$/)
    expect(await bench.db.selectFrom('things').select('id').execute()).toHaveLength(1)
    await done('db:rollback')
    expect((await sluice('db:diff --json')).code).toBe(4)
    await done('db:migrate')
  })

  test('--write: existing rows get version 1, and unique columns and references are left to the user', async () => {
    await bench.db.schema
      .createTable('notes')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .execute()
    await bench.db.insertInto('notes').values({ id: 1 }).execute()
    writeFileSync(
      join(root, 'src/app/models/Note.ts'),
      `import { Model, t } from 'sluice/database'
import { Owner } from './Owner.ts'

export class Note extends Model.define('notes', {
  title: t.string().nullable(),
  slug: t.string(80).unique(),
  owner: t.belongsTo(() => Owner),
}, { version: true, timestamps: false }) {}
`,
    )
    const { code, out } = await sluice('db:diff --write')
    expect(code).toBe(4)
    expect(out).toMatch(
      /yourself:\n {2}missing {2}notes\.slug {6}Note declares string\n {2}missing {2}notes\.owner_id {2}Note declares number\nNext: .*\n$/,
    )
    await done('db:migrate')
    expect(await bench.db.selectFrom('notes').selectAll().execute()).toEqual([{ id: 1, version: 1, title: null }])
    expect((await differences()).list.filter(({ table }: { table: string }) => table === 'notes')).toHaveLength(2)
    rmSync(join(root, 'src/app/models/Note.ts'))
  })

  test('--write: existing rows get the default of a new field, and a required one without is left to be filled', async () => {
    await bench.db.schema
      .createTable('plans')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .execute()
    await bench.db.insertInto('plans').values({ id: 1 }).execute()
    writeFileSync(
      join(root, 'src/app/models/Plan.ts'),
      `import { Model, t } from 'sluice/database'
import * as z from 'sluice/z'

export class Plan extends Model.define('plans', {
  name: t.string(40).default("it's \\\\free"),
  state: t.enum(['draft', 'live']).default('live'),
  seats: t.integer().default(0),
  price: t.decimal(8, 2).default(9.5),
  isOpen: t.boolean().default(true),
  note: t.text().default('none'),
  nick: t.string().nullable().default('x'),
  tag: t.json(z.string()).default('x'),
  owner: t.string(),
}, { timestamps: false }) {}
`,
    )
    expect(await done('db:diff --write')).toMatch(
      /\nNext: npx sluice db:migrate, then fill plans\.note, plans\.tag, plans\.owner in existing rows and make them not null\n$/,
    )
    await done('db:migrate')
    const ofPlans = async () => (await differences()).list.filter(({ table }: { table: string }) => table === 'plans')
    expect(await ofPlans()).toEqual([])
    const plans = async () => {
      const [plan] = await bench.db.selectFrom('plans').selectAll().execute()
      return { ...plan, price: Number(plan?.price), isOpen: Boolean(plan?.isOpen) }
    }
    expect(await plans()).toEqual({
      id: 1,
      name: "it's \\free",
      state: 'live',
      seats: 0,
      price: 9.5,
      isOpen: true,
      note: null,
      nick: null,
      tag: null,
      owner: null,
    })
    for (const [column, value] of [
      ['name', null],
      ['state', 'gone'],
    ])
      await expect(
        bench.db
          .updateTable('plans')
          .set({ [column as string]: value })
          .execute(),
      ).rejects.toThrow()
    await done('db:rollback')
    expect(await bench.db.selectFrom('plans').selectAll().execute()).toEqual([{ id: 1 }])
    await done('db:migrate')
    expect(await ofPlans()).toEqual([])
    rmSync(join(root, 'src/app/models/Plan.ts'))
  })

  test('a model of Model.define, with the types of its columns', async () => {
    writeFileSync(
      join(root, 'src/app/models/Leaf.ts'),
      `import { Model, t } from 'sluice/database'

export class Leaf extends Model.define('leaves', {
  title: t.string(40),
  size: t.integer(),
  price: t.decimal(8, 3),
  mail: t.email(),
  parent: t.belongsTo(() => Leaf).nullable(),
}) {}
`,
    )
    const out = await done('db:diff --write')
    const [, file = ''] = /created +(\S+leaves\S+)/.exec(out) ?? []
    const text = filesIn(join(root, 'src'))
    expect(Object.entries(text).find(([path]) => path.includes('leaves'))?.[1] ?? file).toContain("'decimal(8, 3)'")
    await done('db:migrate')
    expect((await differences()).list.filter(({ table }: { table: string }) => table === 'leaves')).toEqual([])
    rmSync(join(root, 'src/app/models/Leaf.ts'))
  })

  test('fields whose types are constants, and types that the command line does not have', async () => {
    writeFileSync(
      join(root, 'src/app/models/Bark.ts'),
      `import { Model, t } from 'sluice/database'

const STATES = ['draft', 'live'] as const
const LENGTH = 20
const text = t.text()

export class Bark extends Model.define('barks', {
  state: t.enum(STATES),
  mime: t.enum(['text/html', "it's"]),
  code: t.string(LENGTH).unique(),
  nick: t.string(LENGTH).nullable(),
  body: text,
  title: t.string(2_000),
  price: t.decimal(20, 4),
}, { timestamps: false }) {}
`,
    )
    await done('db:diff --write')
    await done('db:migrate')
    expect((await differences()).list.filter(({ table }: { table: string }) => table === 'barks')).toEqual([])
    const row = { state: 'live', mime: "it's", code: 'a', body: 'x'.repeat(5000), title: 'x'.repeat(2000), price: 1.5 }
    const insert = (more: object) =>
      bench.db
        .insertInto('barks')
        .values({ ...row, ...more })
        .execute()
    await insert({})
    const others = [{ state: null }, { state: 'gone' }, { mime: null }, { code: null }, { body: null }, { price: null }]
    for (const more of [{}, ...others.map((other) => ({ code: 'b', ...other }))])
      await expect(insert(more)).rejects.toThrow()
    await bench.db.schema.dropTable('barks').execute()
    rmSync(join(root, 'src/app/models/Bark.ts'))
  })

  test('issue 33: unique keys of one and of several columns, that a model has and the table lacks, and the reverse', async () => {
    // A file of another name each time, since a module is loaded once
    let file = ''
    const model = (slug: string, options: string) => {
      rmSync(file, { force: true })
      file = join(root, `src/app/models/Page${file.length}.ts`)
      writeFileSync(
        file,
        `import { Model, t } from 'sluice/database'
import { Owner } from './Owner.ts'

export class Page extends Model.define(
  'pages',
  { title: t.string(40), slug: ${slug}, owner: t.belongsTo(() => Owner) },
  { timestamps: false${options} },
) {}
`,
      )
    }
    const ofPages = async () => {
      const { code, out } = await sluice('db:diff')
      return {
        code,
        lines: out
          .split('\n')
          .filter((line) => line.includes('pages'))
          .sort(),
      }
    }
    const both = ", unique: [['owner', 'title'], ['title', 'slug']]"
    model('t.string(40).unique()', both)
    await done('db:diff --write')
    await done('db:migrate')
    expect(await ofPages()).toEqual({ code: 0, lines: [] })

    model('t.string(40)', ", unique: [['title', 'owner']]")
    expect(await ofPages()).toEqual({
      code: 0,
      lines: [
        expect.stringMatching(/^extra +pages\(slug\) +unique, which no model declares$/),
        expect.stringMatching(/^extra +pages\((?:title, slug|slug, title)\) +unique, which no model declares$/),
      ],
    })

    await bench.db.schema.dropTable('pages').execute()
    await bench.db.schema
      .createTable('pages')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('title', 'varchar(40)')
      .addColumn('slug', 'varchar(40)')
      .addColumn('owner_id', 'integer')
      .execute()
    await bench.db.schema.createIndex('pages_title').on('pages').columns(['title', 'slug']).unique().execute()
    model('t.string(40).unique()', both)
    const lines = ['missing  pages(owner_id, title)', 'missing  pages(slug)'].map((line) =>
      expect.stringMatching(`^${line.replace(/[()]/g, '\\$&')} +Page declares it unique$`),
    )
    expect(await ofPages()).toEqual({ code: 4, lines })
    const { code, out } = await sluice('db:diff --write')
    expect({ code, out }).toEqual({ code: 4, out: expect.stringContaining('yourself:\n  missing  pages(slug)') })
    await bench.db.schema.dropTable('pages').execute()
    rmSync(file)
  })

  test('a table that two models share is left to the user, and is not extra', async () => {
    const person = (name: string, columns: string) =>
      writeFileSync(
        join(root, `src/app/models/${name}.ts`),
        `import { Model } from 'sluice/database'\n\nexport class ${name} extends Model {\n  static tableName = 'people'\n  static columns = { ${columns} } as const\n}\n`,
      )
    person('Author', "name: 'string', penName: 'string'")
    person('Reader', "name: 'string', age: 'number'")
    const { code, out } = await sluice('db:diff --write')
    expect({ code, out }).toEqual({
      code: 4,
      out: expect.stringMatching(/yourself:\n {2}missing {2}people {2}the table of Author\n/),
    })
    expect(out).not.toContain('create_people_table')
    await bench.db.schema
      .createTable('people')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('name', 'varchar(80)')
      .addColumn('pen_name', 'varchar(80)')
      .addColumn('age', 'integer')
      .execute()
    expect((await differences()).list.filter((each: { table: string }) => each.table === 'people')).toEqual([])
    await bench.db.schema.dropTable('people').execute()
    for (const name of ['Author', 'Reader']) rmSync(join(root, `src/app/models/${name}.ts`))
  })

  test('a class that several files export counts once, and it may declare createdAt itself', async () => {
    mkdirSync(join(root, 'src/app/models/all'))
    writeFileSync(join(root, 'src/app/models/All.ts'), "export * from './Visit.ts'\n")
    writeFileSync(join(root, 'src/app/models/all/index.ts'), "export { Visit as default, Visit } from '../Visit.ts'\n")
    writeFileSync(
      join(root, 'src/app/models/Visit.ts'),
      `import { Model } from 'sluice/database'

export class Visit extends Model {
  static tableName = 'visits'
  static timestamps = true
  static columns = {
    createdAt: 'date',
    version: 'number',
    page: 'string(80)',
  } as const
}
`,
    )
    const about = async () => (await differences()).list.filter(({ table }: { table: string }) => table === 'visits')
    expect(await about()).toEqual([{ state: 'missing', table: 'visits', model: 'Visit' }])
    const { out } = await sluice('db:diff --write')
    expect(out.match(/_visits_table/g)).toHaveLength(1)
    await done('db:migrate')
    expect(await about()).toEqual([])
    const values = { page: 'x', created_at: '2026-01-01', updated_at: '2026-01-01' }
    await bench.db.insertInto('visits').values(values).execute()
  })
})

describe('db:diff, without a database to ask', () => {
  test.each(['--dry-run', '--force'])('2: %s alone', async (option) => {
    const { code, err } = await runCommand(temporaryFolder(), ['db:diff', option])
    expect({ code, err }).toEqual({ code: 2, err: `sluice: ${option} goes with --write\n` })
  })

  test('3: a model that cannot be loaded is named', async () => {
    const root = temporaryFolder()
    linkPackages(root)
    mkdirSync(join(root, 'src/app/models'), { recursive: true })
    mkdirSync(join(root, 'src/database/migrations'), { recursive: true })
    writeFileSync(join(root, 'src/app/models/Broken.ts'), "throw new Error('no such thing')")
    const { code, err } = await runCommand(root, ['db:diff', '--cwd', root, '--url', 'sqlite::memory:'])
    expect(code).toBe(3)
    expect(err).toContain('src/app/models/Broken.ts cannot be loaded: no such thing')
  })

  test.each([
    ['no folder of models', {}, 'src/app/models'],
    ['no folder of migrations', { 'src/app/models/.gitkeep': '' }, 'src/database/migrations'],
  ])('3: %s', async (_, files, message) => {
    const root = temporaryFolder()
    linkPackages(root)
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(root, path, '..'), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    const { code, err } = await runCommand(root, ['db:diff', '--cwd', root, '--url', 'sqlite::memory:'])
    expect({ code, err }).toEqual({ code: 3, err: expect.stringContaining(message) })
  })

  test.each([
    [
      'string',
      ['varchar', 'character varying(80)', 'TEXT', 'bpchar', 'longtext', 'uuid', 'enum'],
      ['integer', 'blob', 'date'],
    ],
    [
      'number',
      [
        'integer',
        'int4',
        'int8',
        'bigint',
        'int unsigned',
        'double precision',
        'decimal(10, 2)',
        'float8',
        'REAL',
        'numeric',
      ],
      ['text', 'interval', 'point', 'bool'],
    ],
    ['boolean', ['boolean', 'bool', 'tinyint', 'integer', 'bit'], ['text', 'datetime', 'decimal']],
    ['date', ['datetime(3)', 'timestamptz', 'timestamp', 'date', 'text'], ['integer', 'blob', 'json']],
    ['json', ['json', 'jsonb', 'longtext', 'text'], ['integer', 'bytea']],
    ['bytes', ['blob', 'longblob', 'bytea', 'varbinary'], ['text', 'integer']],
  ] as const)('%s fits %j and not %j', (kind, fitting, others) => {
    const columns = new Map([['one', { kind, sql: '' }]])
    const model = { model: 'A', table: 'a', columns, fields: [], unique: [], isDefined: false }
    const switches = { timestamps: false, softDelete: false, version: false }
    const differs = (dataType: string): boolean =>
      compareSchema([{ ...model, ...switches }], [{ name: 'a', columns: [{ name: 'one', dataType }] }], []).length > 0
    expect(fitting.filter(differs)).toEqual([])
    expect(others.filter((type) => !differs(type))).toEqual([])
  })
})
