import { describe, expect, test } from 'vitest'
import { FIELD_TYPES } from '../../generators/fields/field-types.ts'
import { parseFields } from '../../generators/fields/fields.ts'
import { fieldsOfModel } from '../../generators/models/defined-model.ts'
import { filesIn, runCommand } from './run-command.ts'
import { temporaryFolder } from './sandbox.ts'

describe('P6: fields are words behind the name', () => {
  const model = async (line: string) => {
    const root = temporaryFolder()
    const { code, err } = await runCommand(root, ['g', ...line.split(' ')])
    return { code, err, source: filesIn(root)['src/app/models/Product.ts'] }
  }

  test.each([
    ['words', 'model Product name:string price:number'],
    ['one word', 'model Product name:string,price:number'],
    ['an option between them', 'model Product name:string --table products price:number'],
    ['a required mark', 'model Product name:string! price:number!'],
  ])('%s', async (_, line) => {
    const { code, source } = await model(line)
    expect(code).toBe(0)
    expect(source).toMatch(/ {2}name: t\.string\(\),\n {2}price: t\.number\(\),\n/)
  })

  test.each([
    [
      'a word without a type',
      'model Product name:string price',
      'The field "price" has no type: write price:string, or',
    ],
    ['the same, optional', 'model Product price?', 'The field "price?" has no type: write price:string, or'],
    ['a word that is not a field', 'model Product a/b', '"a/b" is one word too many'],
    ['fields of a service', 'service Billing name:string', '"name:string" is one word too many'],
    ['fields of a middleware', 'middleware auth name:string', '"name:string" is one word too many'],
    ['an unknown type', 'model Product name:strnig', 'Did you mean "string"?'],
    ['a field twice', 'model Product name:string name:text', 'The field "name" is named twice'],
    ['a field twice by its relation', 'model Product owner:string owner:references(User)', 'twice'],
    ['a key of one field', 'model Product name:string unique(name)', 'Cannot read "unique(name)"'],
    ['a key of one field twice', 'model Product name:string unique(name,name)', 'write unique(article,tag)'],
    ['an open key', 'model Product a:string b:string unique(a,b', 'Cannot read'],
    ['a key of a missing field', 'model Product name:string unique(name,slug)', 'there is no field "slug"'],
    ['a key of a text', 'model Product name:string body:text unique(name,body)', 'type text cannot be unique'],
    ['a key in a migration', 'migration CreateProducts name:string unique(name,slug)', 'there is no field "slug"'],
    [
      'a resource whose records cannot differ',
      'resource Product one:boolean two:boolean unique(one,two)',
      'unique(one,two): the test of a resource needs a field in it whose values can differ',
    ],
    ['an invalid modifier', 'model Product sku:string:uniq', 'Cannot read the field "sku:string:uniq"'],
    ['an open bracket', 'model Product price:decimal(10,2', 'Cannot read'],
    ['too many brackets', 'model Product price:decimal(10))', 'Cannot read'],
    ['an invalid decimal', 'model Product price:decimal(2,10)', 'write decimal(digits up to 15,decimal places)'],
    ['a decimal that a number cannot hold', 'model Product price:decimal(20,2)', 'write decimal'],
    ['an enum of nothing', 'model Product status:enum()', 'write enum(one,or,another)'],
    ['an enum with a value twice', 'model Product status:enum(a,a)', 'write enum'],
    ['an enum with a quote in it', "model Product status:enum(a',b)", 'write enum'],
    ['an invalid length', 'model Product name:string(0)', 'write string(length up to 1000)'],
    ['a text with a length', 'model Product name:text(10)', 'write text, not text(10)'],
    ['a unique boolean', 'model Product done:boolean:unique', 'cannot be unique'],
    ['a reference to a path', 'model Product owner:references(../User)', 'is not a name'],
    ['a field that the model has', 'model Product created_at:date', 'the model has it already'],
    ['a relation that the model has', 'model Product update:references(User)', 'the model has it already'],
  ])('%s is refused with 2, and says what is wrong', async (_, line, message) => {
    const { code, err } = await model(line)
    expect(err).toContain(message)
    expect(code).toBe(2)
  })
})

describe('issue 33: several fields that are unique together', () => {
  const files = async (...lines: string[]) => {
    const root = temporaryFolder()
    for (const line of lines) {
      const { code, err } = await runCommand(root, ['g', ...line.split(' '), '--cwd', root])
      if (code !== 0) return { code, err }
    }
    return { code: 0, err: '', files: filesIn(root) }
  }
  const USER = 'model User name:string'
  const LINK = 'user:references(User) slug:string(40) unique(user,slug)'

  test.each([
    ['words', `resource Link ${LINK}`],
    ['one list', `resource Link ${LINK.replaceAll(' ', ',')}`],
    ['the name of the column', `resource Link ${LINK.replace('unique(user', 'unique(user_id')}`],
  ])('by %s: model, migration, and a test with another value for each record', async (_, line) => {
    const all = Object.entries((await files(USER, line)).files ?? {})
    const text = (part: string) => all.find(([path]) => path.includes(part))?.[1]
    expect(text('models/Link')).toContain("{ unique: [['user', 'slug']] }")
    expect(text('create_links')).toContain(".addUniqueConstraint('links_user_id_slug_unique', ['user_id', 'slug'])")
    expect(text('link.test')).toContain("test('a link with the slug of another one is refused'")
    expect(text('routes/link')).toContain('refusals(409, 422)')
  })

  test('files that are made later take the key of the model', async () => {
    const all = await files(USER, `model Link ${LINK}`, 'resource Link', `resource Link ${LINK}`)
    const made = Object.entries(all.files ?? {}).filter(([path]) => path.includes('create_links'))
    expect(made).toEqual([[expect.any(String), expect.stringContaining("['user_id', 'slug'])")]])
  })

  test('a model that lacks the key does not fit', async () => {
    const fields = LINK.replace(' unique(user,slug)', '')
    expect(await files(USER, `model Link ${fields}`, `resource Link ${LINK}`)).toEqual({
      code: 2,
      err: expect.stringContaining('Link.ts exists and is not what the command line describes'),
    })
  })
})

describe('fields as people type them', () => {
  const ISSUE =
    'name:string!,price:decimal(10,2),status:enum(draft,live),owner:references(User),tags:json,sku:string:unique'

  test('a line with fields of every kind gives their columns and types', () => {
    const fields = parseFields(ISSUE)
    expect(fields.map(({ name, column, kind, ts, sql, unique }) => ({ name, column, kind, ts, sql, unique }))).toEqual([
      { name: 'name', column: 'name', kind: 'string', ts: 'string', sql: "'varchar(255)'", unique: false },
      { name: 'price', column: 'price', kind: 'number', ts: 'number', sql: "'decimal(10, 2)'", unique: false },
      { name: 'status', column: 'status', kind: 'string', ts: "'draft' | 'live'", sql: "'varchar(32)'", unique: false },
      { name: 'ownerId', column: 'owner_id', kind: 'number', ts: 'number', sql: "'integer'", unique: false },
      { name: 'tags', column: 'tags', kind: 'json', ts: 'unknown', sql: "'json'", unique: false },
      { name: 'sku', column: 'sku', kind: 'string', ts: 'string', sql: "'varchar(255)'", unique: true },
    ])
    expect(fields[3]?.relation).toEqual({ name: 'owner', model: 'User' })
    expect(fields.every(({ optional }) => !optional)).toBe(true)
  })

  test.each([
    ['owner:references(User)', 'ownerId', { name: 'owner', model: 'User' }],
    ['ownerId:references(User)', 'ownerId', { name: 'owner', model: 'User' }],
    ['owner_id:references(User)', 'ownerId', { name: 'owner', model: 'User' }],
    ['user:references', 'userId', { name: 'user', model: 'User' }],
    ['blog_post:references', 'blogPostId', { name: 'blogPost', model: 'BlogPost' }],
    ['author:references(admin/user)', 'authorId', { name: 'author', model: 'admin/User' }],
  ])('%s is the column %s', (text, name, relation) => {
    expect(parseFields(text)).toMatchObject([{ name, relation }])
  })

  test.each([
    ['string(80)', "'varchar(80)'", 'z.string().trim().min(1).max(80)'],
    ['decimal', "'decimal(10, 2)'", 'z.number().min(-99_999_999.99).max(99_999_999.99).multipleOf(0.01)'],
    ['decimal(5)', "'decimal(5, 2)'", 'z.number().min(-999.99).max(999.99).multipleOf(0.01)'],
    ['decimal(4,0)', "'decimal(4, 0)'", 'z.number().min(-9_999).max(9_999).multipleOf(1)'],
    ['decimal(3,3)', "'decimal(3, 3)'", 'z.number().min(-0.999).max(0.999).multipleOf(0.001)'],
    ['integer', "'integer'", 'z.number().int()'],
    ['boolean', "'boolean'", 'z.boolean()'],
    ['date', "'datetime(3)'", 'z.coerce.date()'],
    ['email', "'varchar(255)'", 'z.string().trim().toLowerCase().email().max(255)'],
  ])('%s is the column type %s', (type, sql, schema) => {
    const [field] = parseFields(`x:${type}`)
    expect(field?.sql).toBe(sql)
    expect(field?.schema).toContain(schema)
  })

  test.each([
    ['x:string?', true, false, false],
    ['x:string:unique?', true, true, false],
    ['x:string?:unique', true, true, false],
    ['x?:string', true, false, false],
    ['x:string:index!', false, false, true],
    ['x?', true, false, false],
    ['x', false, false, false],
  ])('%s', (text, optional, unique, index) => {
    expect(parseFields(text)).toMatchObject([{ name: 'x', optional, unique, index }])
  })

  test('every type names a column that it can be read back from', () => {
    for (const [type, { shape }] of Object.entries(FIELD_TYPES)) {
      const args = type === 'enum' ? '(a,b)' : type === 'references' ? '(User)' : ''
      for (const mark of ['', '?']) {
        const unique = shape(...(args === '' ? [] : ['a', 'b']))?.uniqueSample === undefined ? '' : ':unique'
        const [field] = parseFields(`thing:${type}${args}${unique}${mark}`)
        const name = field?.relation?.name ?? field?.name
        const source = `Model.define('things', {\n  ${name}: ${field?.define}, // ${field?.spec}\n})`
        expect(fieldsOfModel(source)).toEqual([field])
      }
    }
  })
})
