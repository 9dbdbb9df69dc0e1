import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { afterEach, beforeEach, describe, expect, expectTypeOf, test, vi } from 'vitest'
import { createApp } from '../../src/app.ts'
import { createClient } from '../../src/client.ts'
import { validateBody } from '../../src/middleware/validator.ts'
import { checkResponses } from '../../src/openapi/check-responses.ts'
import { describe as describeRoute, named, openapi } from '../../src/openapi.ts'
import * as z from '../../src/z.ts'

// Its declarations say that the module itself is the default export
const addFormats = formats as unknown as (ajv: never) => void

const info = { title: 'Test', version: '1' }
let before: string | undefined
beforeEach(() => {
  before = process.env.NODE_ENV
  process.env.NODE_ENV = 'test'
})
afterEach(() => {
  process.env.NODE_ENV = before
})

/** What the document and the check say about a response. */
const verdicts = async (schema: z.AnySchema, data: unknown): Promise<{ document: boolean; check: boolean }> => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const app = createApp()
    .use(checkResponses())
    .get('/', describeRoute({ responses: { 200: schema } }), (ctx) => ctx.json(data))
  await app.request('/')
  const problems = warn.mock.calls.length
  warn.mockRestore()
  const made: any = openapi(app, { info })
  const ajv = new Ajv2020({ strict: false })
  addFormats(ajv as never)
  const content = made.paths['/'].get.responses[200].content['application/json'].schema
  return { document: ajv.validate({ ...content, components: made.components }, data), check: problems === 0 }
}

const Counted = z.object({ n: z.number().default(1) })
const Tree: any = z.object({ n: z.number().default(1), next: z.lazy(() => Tree).optional() })

describe('NC5: the document of a response and its check say the same, by the output of the schema', () => {
  test.each<[string, z.AnySchema, unknown, boolean]>([
    ['a default that is missing', Counted, {}, false],
    ['a default that is there', Counted, { n: 2 }, true],
    ['a default deep inside', z.object({ list: z.array(Counted) }), { list: [{ n: 1 }, {}] }, false],
    ['a default in a record', z.record(z.string(), Counted), { a: {} }, false],
    ['a default in a named schema', named('Counted', z.object({ n: z.number().default(1) })), {}, false],
    ['a default in a schema that holds itself', Tree, { n: 1, next: {} }, false],
    ['a schema that holds itself', Tree, { n: 1, next: { n: 2 } }, true],
    ['a default of one alternative', z.union([z.string(), Counted]), {}, false],
    ['a default of a refined object', Counted.refine(() => true), {}, false],
    ['a catch that is missing', z.object({ n: z.number().catch(1) }), {}, false],
    ['a catch of another type', z.object({ n: z.number().catch(1) }), { n: 'x' }, false],
    ['an optional field', z.object({ n: z.number().optional() }), {}, true],
    ['a field that may be null', Counted.extend({ s: z.string().nullable() }), { n: 1, s: null }, true],
    ['what a transform gives', z.object({ n: z.string().transform(Number) }), { n: 5 }, true],
    ['what goes on to another schema', z.object({ n: z.string().transform(Number).pipe(z.number()) }), { n: 5 }, true],
    ['what a pipe takes', z.object({ n: z.string().transform(Number).pipe(z.number()) }), { n: '5' }, false],
    ['a coerced number as text', z.object({ n: z.coerce.number() }), { n: '5' }, false],
    ['a coerced number', z.object({ n: z.coerce.number() }), { n: 5 }, true],
    ['a boolean for words', z.object({ n: z.stringbool() }), { n: true }, true],
    ['a word for a boolean', z.object({ n: z.stringbool() }), { n: 'yes' }, false],
    ['a date as text', z.object({ n: z.coerce.date() }), { n: '2026-01-01T00:00:00Z' }, true],
    ['a preprocess', z.object({ n: z.preprocess(Number, z.number()) }), { n: '5' }, false],
    ['a field more', Counted, { n: 1, more: 2 }, true],
    ['a field more than a strict object has', Counted.strict(), { n: 1, more: 2 }, false],
    ['a broken bound', z.array(z.number()).min(1), [], false],
  ])('%s', async (_, schema, data, right) => {
    expect(await verdicts(schema, data)).toEqual({ document: right, check: right })
  })

  test('the client has the same type', async () => {
    const app = createApp().get('/', describeRoute({ responses: { 200: Counted } }), (ctx) => ctx.json({ n: 1 }))
    const response = await createClient<typeof app>({ fetch: app.fetch }).get('/')
    if (response.status === 200) expectTypeOf(await response.json()).toEqualTypeOf<{ n: number }>()
    expect(response.status).toBe(200)
  })

  test('the output has the name where the input comes later, and where there is no input', () => {
    const Page = named('Page', Counted.extend({ a: z.string() }))
    const Only = named('Only', Counted.extend({ b: z.string() }))
    const app = createApp()
      .get('/', describeRoute({ responses: { 200: Page, 201: Only } }), (ctx) => ctx.json({}))
      .post('/', validateBody(Page), (ctx) => ctx.json({}))
    const { components }: any = openapi(app, { info })
    expect(Object.keys(components.schemas).filter((name) => /^(Page|Only)/.test(name))).toEqual([
      'Page',
      'Only',
      'PageInput',
    ])
  })

  test('a name stands for what comes first, the input; where the output differs, it has a name beside it', () => {
    const User = named('User', z.object({ name: z.string() }))
    const Page = named('Page', z.object({ of: User, size: z.number().default(10) }))
    const app = createApp().post('/', validateBody(Page), describeRoute({ responses: { 200: Page } }), (ctx) =>
      ctx.json({}),
    )
    const { paths, components }: any = openapi(app, { info })
    const { requestBody, responses } = paths['/'].post
    expect({
      input: requestBody.content['application/json'].schema,
      output: responses[200].content['application/json'].schema,
      names: Object.keys(components.schemas).filter((name) => /^(User|Page)/.test(name)),
      required: [components.schemas.Page.required, components.schemas.PageOutput.required],
    }).toEqual({
      input: { $ref: '#/components/schemas/Page' },
      output: { $ref: '#/components/schemas/PageOutput' },
      names: ['User', 'Page', 'PageOutput'],
      required: [['of'], ['of', 'size']],
    })
  })
})
