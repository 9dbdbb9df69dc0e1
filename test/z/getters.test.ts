import { describe, expect, test } from 'vitest'
import { toJsonSchema } from '../../src/z/to-json-schema.ts'
import * as z from '../../src/zod3.ts'

const Folder = z.object({
  name: z.string(),
  get folders(): z.AnySchema {
    return z.array(Folder)
  },
})

const Late: z.AnyZodObject = z.late.object(() => ({ name: z.string(), folders: z.array(Late) }))

const nested = (levels: number): unknown => {
  let value: unknown = { name: 'a', folders: [] }
  for (let level = 0; level < levels; level++) value = { name: 'a', folders: [value] }
  return value
}

const circle: { name: string; folders: unknown[] } = { name: 'a', folders: [] }
circle.folders.push(circle)

/** What can be made from a schema that holds itself by a getter, in a second statement. */
const DERIVED: { readonly [name: string]: z.AnySchema } = {
  itself: Folder,
  partial: Folder.partial(),
  required: Folder.required(),
  pick: Folder.pick({ folders: true }),
  omit: Folder.omit({ name: true }),
  extend: Folder.extend({ size: z.number().optional() }),
  merge: z.object({ size: z.number().optional() }).merge(Folder),
  strict: Folder.strict(),
  passthrough: Folder.passthrough(),
  catchall: Folder.catchall(z.any()),
  deepPartial: Folder.deepPartial(),
  'late.object': Late,
  'partial of late.object': Late.partial(),
  'deepPartial of a tuple': z.object({ folders: z.tuple([Folder]) }).deepPartial(),
  wrapped: Folder.optional().nullable().default({ name: 'a', folders: [] }).readonly().brand('Folder'),
  changed: Folder.refine(() => true).transform((folder) => folder),
  piped: Folder.pipe(Folder as z.AnySchema),
  both: Folder.and(Folder),
}

describe('F14: a schema that holds itself by a getter', () => {
  test.each(Object.entries(DERIVED))(
    '%s: 50 levels are fine; 20,000 levels and a circle are an issue',
    async (_, schema) => {
      expect(schema.safeParse(nested(50)).error).toBeUndefined()
      expect(schema.safeParse(nested(20_000)).error?.issues.length).toBeGreaterThan(0)
      expect(schema.safeParse(circle).error?.issues.length).toBeGreaterThan(0)
      expect((await schema.safeParseAsync(nested(50))).success).toBe(true)
      expect((await schema.safeParseAsync(nested(20_000))).success).toBe(false)
      expect((await schema.safeParseAsync(circle)).success).toBe(false)
    },
  )

  test('deepPartial: no key is required at any level, and a value of another type is still an issue', () => {
    const Loose = Folder.deepPartial()
    expect(Loose.parse({ folders: [{}, { folders: [{ name: 'b' }] }] })).toEqual({
      folders: [{}, { folders: [{ name: 'b' }] }],
    })
    expect(Loose.safeParse({ folders: [{ folders: [{ name: 1 }] }] }).error!.issues[0]!.path).toEqual([
      'folders',
      0,
      'folders',
      0,
      'name',
    ])
    expect(toJsonSchema(Loose)).toMatchObject({ $defs: {} })
    expect(JSON.stringify(toJsonSchema(Loose))).not.toContain('"required"')
  })

  test('deepPartial leaves the schema that it was called on as it was', () => {
    Folder.deepPartial()
    expect(Folder.safeParse({ folders: [] }).success).toBe(false)
    expect(Object.keys(Folder.deepPartial().shape)).toEqual(['name', 'folders'])
  })
})

/** A schema whose getter derives another one from it. Written without types: TypeScript asks for them at each getter. */
const deriving = (derive: (schema: z.AnyZodObject) => z.AnySchema): z.AnySchema => {
  const made: z.AnyZodObject = z.object({
    name: z.string(),
    get inner(): z.AnySchema {
      return derive(made).optional()
    },
  })
  return made
}

describe('issue 11: a getter that derives from its own schema', () => {
  test.each<[string, (schema: z.AnyZodObject) => z.AnySchema, unknown, unknown]>([
    ['partial', (made) => made.partial(), { inner: {} }, { inner: { name: 1 } }],
    ['partial of an array', (made) => z.array(made.partial()), [{ inner: [{}] }], [{ inner: [{ name: 1 }] }]],
    ['deepPartial', (made) => made.deepPartial(), { inner: {} }, { inner: { name: 1 } }],
    ['required', (made) => made.required(), { name: 'b', inner: { name: 'c' } }, { inner: { name: 'c' } }],
    ['omit', (made) => made.omit({ name: true }), { inner: {} }, { inner: 1 }],
    ['omit of the getter', (made) => made.omit({ inner: true }), { name: 'b' }, {}],
    ['pick', (made) => made.pick({ inner: true }), { inner: {} }, { inner: 1 }],
    ['extend', (made) => made.extend({ size: z.number() }), { name: 'b', size: 1 }, { name: 'b' }],
    ['merge', (made) => made.merge(z.object({ size: z.number() })), { name: 'b', size: 1 }, { name: 'b' }],
    ['merge into', (made) => z.object({ size: z.number() }).merge(made), { name: 'b', size: 1 }, { name: 'b' }],
    ['strict', (made) => made.strict(), { name: 'b' }, { name: 'b', more: 1 }],
    ['passthrough', (made) => made.passthrough(), { name: 'b', more: 1 }, {}],
    ['catchall', (made) => made.catchall(z.number()), { name: 'b', more: 1 }, { name: 'b', more: 'x' }],
    ['describe', (made) => made.describe('text'), { name: 'b' }, {}],
    ['refine', (made) => made.refine(({ name }) => name !== 'c'), { name: 'b' }, { name: 'c' }],
    ['two steps', (made) => made.partial().extend({ size: z.number() }).strict(), { size: 1 }, { size: 1, more: 1 }],
  ])('%s: values fit or not, and deep values and circles are an issue', async (_, derive, good, bad) => {
    const schema = deriving(derive)
    expect(schema.safeParse({ name: 'a', inner: good }).error).toBeUndefined()
    expect(schema.safeParse({ name: 'a', inner: bad }).error?.issues).toHaveLength(1)
    expect((await schema.safeParseAsync({ name: 'a', inner: good })).error).toBeUndefined()
    expect((await schema.safeParseAsync({ name: 'a', inner: bad })).success).toBe(false)
    const circle: { name: string; size: number; inner?: unknown } = { name: 'a', size: 1 }
    circle.inner = circle
    let deep: unknown = { name: 'a', size: 1 }
    for (let level = 0; level < 5000; level++) deep = { name: 'a', size: 1, inner: deep }
    for (const value of [circle, deep]) {
      expect(() => schema.safeParse(value)).not.toThrow()
      await schema.safeParseAsync(value)
    }
    expect(Object.keys(toJsonSchema(schema)).length).toBeGreaterThan(0)
    expect(z.safeEncode(schema, { name: 'a' }).success).toBe(true)
  })

  test('a getter is asked once, and gives its schema to the derived ones', () => {
    let asked = 0
    const Tree: z.AnyZodObject = z.object({
      get branches(): z.AnySchema {
        asked++
        return z.array(Tree.partial())
      },
    })
    Tree.partial().parse({ branches: [{ branches: [{}] }] })
    Tree.strict().parse({ branches: [{}] })
    expect(Tree.shape.branches).toBe(Tree.shape.branches)
    expect(asked).toBe(1)
  })

  test('two schemas that derive from each other', () => {
    const Author: z.AnyZodObject = z.object({
      name: z.string(),
      get books(): z.AnySchema {
        return z.array(Book.omit({ author: true })).optional()
      },
    })
    const Book: z.AnyZodObject = z.object({
      title: z.string(),
      get author(): z.AnySchema {
        return Author.partial()
      },
    })
    expect(Book.safeParse({ title: 'a', author: { books: [{ title: 'b' }] } }).success).toBe(true)
    expect(Book.safeParse({ title: 'a', author: { books: [{}] } }).error?.issues[0]?.path).toEqual([
      'author',
      'books',
      0,
      'title',
    ])
  })

  test('a getter that makes new schemas without end is asked as deep as the value goes, and 500 levels at most', () => {
    const node = (): z.AnySchema =>
      z.object({
        get next(): z.AnySchema {
          return node().optional()
        },
      })
    const chain = (levels: number): object => (levels ? { next: chain(levels - 1) } : {})
    const schema = node()
    expect(schema.safeParse(chain(400)).success).toBe(true)
    expect(schema.safeParse(chain(600)).error?.issues[0]?.code).toBe('custom')
    expect(() => toJsonSchema(node())).toThrow('toJsonSchema: nested without end at "next.next.next')
    const lazy = (): z.AnySchema => z.object({ next: z.lazy(() => lazy().optional()) })
    expect(() => toJsonSchema(lazy())).toThrow('toJsonSchema: nested without end at "next.next.next')
  })

  test('a getter that makes new schemas without end: encode and deepPartial ask it as deep as the value goes', () => {
    const numeric = z.codec(z.string(), z.number(), { decode: Number, encode: String })
    const node = (): z.AnyZodObject =>
      z.object({
        n: numeric,
        get next(): z.AnySchema {
          return node().optional()
        },
      })
    const chain = (levels: number): object => (levels ? { n: 1, next: chain(levels - 1) } : { n: 1 })
    expect(z.encode(node(), { n: 1, next: { n: 2 } })).toEqual({ n: '1', next: { n: '2' } })
    expect(z.safeEncode(node(), chain(400)).success).toBe(true)
    expect(z.safeEncode(node(), chain(600)).error?.issues[0]?.code).toBe('custom')
    const loose = node().deepPartial() as z.AnySchema
    expect(loose.parse({ next: { next: {} } })).toEqual({ next: { next: {} } })
    expect(loose.safeParse({ next: { next: { n: 1 } } }).error?.issues[0]?.path).toEqual(['next', 'next', 'n'])
    expect(loose.safeParse(chain(600)).success).toBe(false)
  })

  test('a getter that throws is asked again', () => {
    let ready = false
    const schema = z.object({
      get name(): z.AnySchema {
        if (!ready) throw new ReferenceError('not yet')
        return z.string()
      },
    })
    expect(() => schema.safeParse({ name: 'a' })).toThrow('not yet')
    ready = true
    expect(schema.safeParse({ name: 'a' }).success).toBe(true)
    expect(schema.safeParse({ name: 1 }).success).toBe(false)
  })
})

describe('issue 11: lazy within a promise', () => {
  const Late: z.AnySchema = z.lazy(() => z.union([z.string(), z.promise(Late)]))

  test.each([[1], [null], [{}], [[]]])(
    '%j in the place of a promise is an issue, and not asked about for ever',
    async (value) => {
      expect((await Late.safeParseAsync(value)).error?.issues[0]?.code).toBe('invalid_union')
      const only: z.AnySchema = z.lazy(() => z.promise(only))
      expect((await only.safeParseAsync(value)).error?.issues[0]?.code).toBe('custom')
    },
  )

  test('a value in the place of a promise is parsed with the rest, so its issues have their path', async () => {
    const schema = z.object({ p: z.promise(z.number()) })
    expect((await schema.safeParseAsync({ p: 'x' })).error?.issues).toMatchObject([
      { code: 'invalid_type', path: ['p'] },
    ])
    const { p } = await schema.parseAsync({ p: 1 })
    expect(p).toBeInstanceOf(Promise)
    expect(await p).toBe(1)
    expect(await Late.parseAsync(Promise.resolve('x'))).toBe('x')
  })
})
