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
  test.each([
    ['the column that refers back, whatever its name', 'products:hasMany(Product)', 'ownerId'],
    ['the column that is named', 'products:hasMany(Product,editor)', 'editorId'],
  ])('hasMany uses %s', async (_, relation, key) => {
    const { files } = await generate(
      'model User name:string',
      'model Product owner:references(User) editor:references(User)',
      `model User name:string ${relation} --force`,
    )
    expect(files['src/app/models/User.ts']).toContain(
      `products: t.hasMany(() => Product${key === 'userId' ? '' : `, '${key.replace('Id', '')}'`}),`,
    )
  })

  test('hasMany of a model that does not refer back yet uses the name of its own model', async () => {
    const { files } = await generate('model Product title:string', 'model User products:hasMany(Product)')
    expect(files['src/app/models/User.ts']).toContain('products: t.hasMany(() => Product),')
  })

  test('a model that has hasMany of itself finds the field on the same command line', async () => {
    const line = 'model Node parent:references(Node)? children:hasMany(Node)'
    const { out, files } = await generate(line)
    expect(files['src/app/models/Node.ts']).toContain("children: t.hasMany(() => Node, 'parent'),")
    expect(out).not.toContain('does not compile')
    for (const [relation, field] of [
      ['hasMany(Node)', 'nodeId: add "node:references(Node)?"'],
      ['hasMany(Node,above)', 'aboveId: add "above:references(Node)?"'],
    ])
      expect(await generate(`model Node name:string children:${relation}`)).toMatchObject({
        code: 2,
        err: `sluice: children refers to its own model, which has no ${field}\n`,
        files: {},
      })
  })

  test.each(['model', 'resource'])(
    'g %s: a model that is missing comes with the field, by the next command',
    async (kind) => {
      const { code, out } = await generate(`${kind} admin/User name:string posts:hasMany(Post)`)
      expect(code).toBe(0)
      expect(out).toContain(
        "posts needs the field userId of Post. Without it, the project does not compile: npx sluice g resource Post 'user:references(admin/User)'\n",
      )
      const after = await generate(
        `${kind} admin/User name:string posts:hasMany(Post)`,
        'resource Post user:references(admin/User)',
        `${kind} admin/User name:string posts:hasMany(Post)`,
      )
      expect(after).toMatchObject({ code: 0, out: expect.not.stringContaining('does not compile') })
    },
  )

  test.each(['model', 'resource'])(
    'g %s: a model without the field is named, with the lines to write',
    async (kind) => {
      const { code, out } = await generate('model Post title:string', `${kind} User posts:hasMany(Post,writer)`)
      expect(code).toBe(0)
      expect(out).toContain(
        [
          'posts needs the field writerId of Post. Without it, the project does not compile. ' +
            'In src/app/models/Post.ts, write among the fields:',
          '  writer: t.belongsTo(() => User),',
          'Then add the column to the table posts in a migration: npx sluice g migration LinkPostToUser',
          '',
        ].join('\n'),
      )
    },
  )

  test('a model of the same name in another folder does not refer to this one', async () => {
    const { files } = await generate(
      'model admin/User name:string --table staff',
      'model Post boss:references(admin/User)',
      'model User posts:hasMany(Post)',
    )
    expect(files['src/app/models/User.ts']).toContain('posts: t.hasMany(() => Post),')
  })

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
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('a field of type string cannot cascade') })
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
