import { beforeAll, expect, describe as group, test } from 'vitest'
import { createApp } from '../src/app.ts'
import { createDatabase, Model, setDatabase, t } from '../src/database.ts'
import { validateBody, validateQuery } from '../src/index.ts'
import { describe } from '../src/openapi/describe.ts'
import { openapi } from '../src/openapi.ts'
import { changesOf, dataOf, inputOf, listOf, outputOf, pageOf, refusals } from '../src/resource.ts'
import * as z from '../src/z.ts'
import { expectValid } from './openapi/validity.ts'

class Maker extends Model.define('makers', { name: t.string() }) {}
class Lamp extends Model.define(
  'lamps',
  {
    name: t.string(40),
    state: t.enum(['draft', 'live']),
    rank: t.integer().nullable(),
    lit: t.boolean(),
    about: t.text().nullable(),
    data: t.json(z.object({})).nullable(),
    secret: t.string().hidden().default('x'),
    maker: t.belongsTo(() => Maker).nullable(),
  },
  { version: true, softDelete: true },
) {}

const schema = listOf(Lamp, { filter: ['name', 'state', 'rank', 'lit', 'makerId'] })
const queryOf = (text: string): Record<string, unknown> => {
  const query: Record<string, unknown> = {}
  const all = new URLSearchParams(text)
  for (const name of all.keys()) query[name] = all.getAll(name).length > 1 ? all.getAll(name) : all.get(name)
  return query
}

group('issue 34: the query of a list', () => {
  const plain = { page: 1, limit: 10, where: {}, orderBy: { id: 'asc' } }
  test.each([
    ['', plain],
    ['page=2&limit=20', { ...plain, page: 2, limit: 20 }],
    ['page=0&limit=0', plain],
    ['page=-1&limit=1.5', plain],
    ['page=abc&limit=', plain],
    ['page=1e3&limit=0x10', plain],
    ['limit=100', { ...plain, limit: 100 }],
    ['limit=101', { ...plain, limit: 100 }],
    ['page=9999999999', { ...plain, page: 9_999_999_999 }],
    ['page=99999999999', plain],
    ['page=2&page=3', { ...plain, page: 2 }],
    ['sort=-rank,name', { ...plain, orderBy: { rank: 'desc', name: 'asc', id: 'asc' } }],
    ['sort=-id', { ...plain, orderBy: { id: 'desc' } }],
    ['sort=rank&sort=-rank', { ...plain, orderBy: { rank: 'asc', id: 'asc' } }],
    ['sort=rank,-rank', { ...plain, orderBy: { rank: 'asc', id: 'asc' } }],
    ['sort=createdAt', { ...plain, orderBy: { createdAt: 'asc', id: 'asc' } }],
    ['sort=makerId', { ...plain, orderBy: { makerId: 'asc', id: 'asc' } }],
    ['state=live&lit=false&rank=-7', { ...plain, where: { state: 'live', lit: false, rank: -7 } }],
    ['name=Lamp&makerId=3', { ...plain, where: { name: 'Lamp', makerId: 3 } }],
    ['secret=x&role=admin', plain],
  ])('?%s gives %j', (query, expected) => {
    expect(schema.parse(queryOf(query))).toEqual(expected)
  })

  test.each([
    ['sort=secret', ['sort']],
    ['sort=about', ['sort']],
    ['sort=data', ['sort']],
    ['sort=constructor', ['sort']],
    ['sort=--id', ['sort']],
    ['state=gone', ['state']],
    ['state=live&state=draft', ['state']],
    ['lit=1', ['lit']],
    ['rank=', ['rank']],
    ['rank=1.5', ['rank']],
    ['rank=2147483648', ['rank']],
    [`name=${'x'.repeat(41)}`, ['name']],
  ])('?%s is refused', (query, path) => {
    const { error } = schema.safeParse(queryOf(query))
    expect(error?.issues.map((issue) => issue.path)).toEqual([path])
  })

  test('other limits, and the columns of an order', () => {
    const few = listOf(Lamp, { sort: ['name'], limit: 2, maxLimit: 3 })
    expect(few.parse({})).toMatchObject({ limit: 2 })
    expect(few.parse({ limit: '9' })).toMatchObject({ limit: 3 })
    expect(listOf(Lamp, { maxLimit: 3 }).parse({})).toMatchObject({ limit: 3 })
    expect(few.safeParse({ sort: 'rank' }).success).toBe(false)
  })

  test.each([
    ['a column that the model does not have', 'nothing'],
    ['a long text', 'about'],
    ['a hidden column', 'secret'],
    ['the name of a parameter', 'page'],
  ])('%s cannot be filtered by', (_, name) => {
    expect(() => listOf(Lamp, { filter: [name as 'name'] })).toThrow(/^listOf: filter: expected .*, got ".*"$/)
  })

  test('only a column can be sorted by, and an unknown option is refused', () => {
    expect(() => listOf(Lamp, { sort: ['nothing' as 'name'] })).toThrow('listOf: sort')
    for (const limit of [0.5, 0, 101]) expect(() => listOf(Lamp, { limit })).toThrow('listOf: limit')
    expect(() => listOf(Lamp, { maxLimit: 0 })).toThrow('listOf: maxLimit')
    expect(() => listOf(Lamp, { filters: [] } as object)).toThrow('filter')
  })
})

interface Parameter {
  readonly name: string
  readonly required?: boolean
  readonly schema: { readonly type?: string }
}

group('issue 34: the document of a resource', () => {
  const lamp = outputOf(Lamp)
  const app = createApp<unknown, {}>()
    .get(
      '/lamps',
      describe({ responses: { 200: pageOf(lamp), ...refusals(400) } }),
      validateQuery(schema, { status: 400 }),
      async (ctx) => ctx.json(await Lamp.page(ctx.state.valid.query)),
    )
    .patch(
      '/lamps/:id',
      describe({ responses: { 200: dataOf(outputOf(Lamp)), ...refusals(404, 422) } }),
      validateBody(changesOf(Lamp), { type: 'json' }),
      async (ctx) => {
        const found = await Lamp.findOrFail(ctx.params.id)
        return ctx.json({ data: await found.update(ctx.state.valid.body) })
      },
    )

  test('has the parameters of a list with their types', async () => {
    const document = openapi(app, { info: { title: 'x', version: '1' } })
    await expectValid(document)
    const parameters = document.paths['/lamps']!.get!.parameters as Parameter[]
    expect(parameters.map(({ name, required = false, schema: { type } }) => ({ name, required, type }))).toEqual([
      { name: 'name', required: false, type: 'string' },
      { name: 'state', required: false, type: 'string' },
      { name: 'rank', required: false, type: 'integer' },
      { name: 'lit', required: false, type: 'string' },
      { name: 'makerId', required: false, type: 'integer' },
      { name: 'page', required: false, type: 'integer' },
      { name: 'limit', required: false, type: 'integer' },
      { name: 'sort', required: false, type: 'string' },
    ])
    expect(parameters.find(({ name }) => name === 'limit')?.schema).toEqual({
      type: 'integer',
      minimum: 1,
      maximum: 100,
      default: 10,
    })
    expect(Object.keys(document.components!.schemas!)).toEqual(expect.arrayContaining(['Error', 'Lamp', 'PageMeta']))
  })

  test('names a model once, although two routes asked for its answer, and another name is another schema', () => {
    expect(outputOf(Lamp)).toBe(lamp)
    expect(outputOf(Lamp, 'AdminLamp')).not.toBe(lamp)
  })

  test('an answer has what the switches of the model add, and a change may name the version that was read', () => {
    expect(Object.keys(lamp.shape).slice(-4)).toEqual(['version', 'deletedAt', 'createdAt', 'updatedAt'])
    expect(changesOf(Lamp).parse({ version: 3 })).toEqual({ version: 3 })
    expect(changesOf(Maker).parse({ version: 3 })).toEqual({})
    expect(inputOf(Lamp).parse({ name: 'x', state: 'live', lit: true, version: 3 })).not.toHaveProperty('version')
  })

  group('over a database', () => {
    beforeAll(async () => {
      const db = setDatabase(createDatabase('sqlite::memory:'))
      await db.schema
        .createTable('lamps')
        .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
        .addColumn('name', 'text')
        .addColumn('state', 'text')
        .addColumn('rank', 'integer')
        .addColumn('lit', 'integer')
        .addColumn('about', 'text')
        .addColumn('data', 'text')
        .addColumn('secret', 'text')
        .addColumn('maker_id', 'integer')
        .addColumn('version', 'integer')
        .addColumn('deleted_at', 'text')
        .addColumn('created_at', 'text')
        .addColumn('updated_at', 'text')
        .execute()
      for (const [rank, name] of ['a', 'b', 'c'].entries())
        await Lamp.create({ name, rank, state: rank ? 'live' : 'draft', lit: true })
      return () => db.destroy()
    })

    test('the query is what a page needs', async () => {
      const response = await app.request('/lamps?state=live&sort=-rank&limit=1')
      const { data, meta } = await response.json()
      expect({ names: data.map(({ name }: { name: string }) => name), meta }).toEqual({
        names: ['c'],
        meta: { page: 1, limit: 1, total: 2, totalPages: 2 },
      })
      expect(pageOf(lamp).safeParse({ data, meta }).success).toBe(true)
      expect((await app.request('/lamps?sort=nothing')).status).toBe(400)
    })

    test('a change of an old version is refused', async () => {
      const patch = (body: object) =>
        app.request('/lamps/1', {
          method: 'PATCH',
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        })
      expect((await patch({ name: 'x', version: 1 })).status).toBe(200)
      expect((await patch({ name: 'y', version: 1 })).status).toBe(409)
      expect(
        (
          await app.request('/lamps/99', {
            method: 'PATCH',
            body: '{}',
            headers: { 'content-type': 'application/json' },
          })
        ).status,
      ).toBe(404)
    })
  })
})

test('a refusal has a message, and the issues of its input if there are any', () => {
  const { 404: missing } = refusals(404, 422)
  const issues = [{ path: ['name', 0], code: 'custom', message: 'Required' }]
  expect(missing.parse({ error: 'Lamp not found' })).toEqual({ error: 'Lamp not found' })
  expect(missing.parse({ error: 'x', issues })).toEqual({ error: 'x', issues })
  expect(missing.safeParse({ message: 'x' }).success).toBe(false)
})
