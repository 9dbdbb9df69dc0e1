import { describe, expect, test } from 'vitest'
import { filesIn, runCommand } from './run-command.ts'
import { temporaryFolder } from './sandbox.ts'

/** Run generators one after the other in an empty folder. */
const generate = async (...lines: string[]) => {
  const root = temporaryFolder()
  let last = { code: 0, out: '', err: '' }
  for (const line of lines) last = await runCommand(root, ['g', ...line.split(' '), '--cwd', root])
  return { ...last, files: filesIn(root) }
}

describe('issue 15: relations of a model', () => {
  test.each(['model', 'resource'])(
    'g %s: records that refer to it are a line of the model, as the message says',
    async (kind) => {
      expect(await generate(`${kind} User name:string posts:hasMany(Post,writer)`)).toMatchObject({
        code: 2,
        err: 'sluice: posts is not a column: write "posts: t.hasMany(() => Model)," into the model\n',
        files: {},
      })
    },
  )

  test.each(['Post author:references(User) boss:references(admin/User)', 'User boss:references(admin/User)'])(
    'two models of one name, which one file cannot import both, are refused: g model %s',
    async (line) => {
      const models = ['model User name:string', 'model admin/User name:string --table staff']
      const { code, err } = await generate(...models, `model ${line}`)
      expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('boss: two models are named User') })
      const twice = await generate(...models, 'model Post author:references(User) editor:references(User)')
      expect(twice.files['src/app/models/Post.ts']?.match(/^import \{ User \}/gm)).toHaveLength(1)
    },
  )

  test('a required reference to its own model is refused, since there could be no first record', async () => {
    const { code, err, files } = await generate('resource Node parent:references(Node)')
    expect({ code, files }).toEqual({ code: 2, files: {} })
    expect(err).toContain('parent refers to its own model')
    expect((await generate('resource Node parent:references(Node)?')).code).toBe(0)
  })

  test.each(['User):cascade', 'User)?:cascade', 'User):index:cascade'])(
    'a record with references(%s goes with the one that it refers to',
    async (rest) => {
      const { files } = await generate('model User name:string', `migration CreatePosts owner:references(${rest}`)
      const [source] =
        Object.entries(files)
          .find(([file]) => file.includes('create_posts'))
          ?.slice(1) ?? []
      expect(source).toMatch(/\.addForeignKeyConstraint\([^)]*\['id'\], \(key\) =>\s+key\.onDelete\('cascade'\)/)
    },
  )

  test('a column that refers to nothing cannot cascade', async () => {
    const { code, err } = await generate('migration CreatePosts title:string:cascade')
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('A field of type string cannot cascade') })
  })

  test.each(['short', 'a_name_that_makes_the_call_longer_than_one_line'])(
    'an optional reference called %s is emptied, not cascaded, when its record goes',
    async (label) => {
      const { files } = await generate(`migration CreateNodes ${label}:references(Node)?`)
      const source = Object.values(files).join('')
      expect(source).toMatch(/\.addForeignKeyConstraint\([^)]*\['id'\], \(key\) =>\s+key\.onDelete\('set null'\)/)
    },
  )
})

describe('issue 15: what is optional stays optional everywhere', () => {
  test('in the model, the table, the input, the response, and the sample of the test', async () => {
    const { files } = await generate('resource Node title:string parent:references(Node)? rank:integer?')
    const text = (end: string) => Object.entries(files).find(([path]) => path.endsWith(end))?.[1] ?? ''
    expect(text('models/Node.ts')).toContain('parent: t.belongsTo(() => Node).nullable(),')
    expect(text('models/Node.ts')).toContain('rank: t.integer().nullable(),')
    expect(text('nodes_table.ts')).toContain(".addColumn('parent_id', 'integer')\n")
    // The first record has no other one to refer to
    expect(text('node.test.ts')).toContain("const sample = () => ({ title: 'Ada', rank: 7 })\n")
  })
})

describe('names that every database takes: PostgreSQL cuts them off after 63 characters, MySQL refuses more than 64', () => {
  const LONG = 'a_field_with_a_name_as_long_as_sixty_characters_is_allowed_'

  test('constraints and indexes that would be cut off are shortened, and stay different', async () => {
    const fields = ['a:string:unique', 'b:string:unique', 'c:integer:index', 'd:integer:index'].map((end) => LONG + end)
    const { files, code } = await generate(`migration CreateThings ${fields.join(' ')}`)
    expect(code).toBe(0)
    const source = Object.values(files).join('')
    const names = [...source.matchAll(/(?:Constraint|createIndex)\(\s*'([^']+)'/g)].map(([, name = '']) => name)
    expect(names).toHaveLength(4)
    expect(new Set(names).size).toBe(4)
    for (const name of names) expect(name.length).toBeLessThanOrEqual(63)
  })

  test.each([
    ['model', 'A'],
    ['resource', 'A'],
    ['migration', 'CreateA'],
  ])('g %s: a table of 64 characters is refused, and one of 63 is not', async (kind, start) => {
    // The plural has one letter more
    const [fits, tooLong] = [61, 62].map((length) => `${start}${'b'.repeat(length)}`)
    expect(await generate(`${kind} ${fits}`)).toMatchObject({ code: 0, err: '' })
    const refused = await generate(`${kind} ${tooLong}`)
    expect(refused).toMatchObject({ code: 2, files: {} })
    expect(refused.err).toContain('has 64 characters')
    expect((await generate(`${kind} ${tooLong} --table wide_things`)).code).toBe(0)
  })
})
