import { describe, expect, test } from 'vitest'
import { z as zod } from 'zod/v3'
import { toJsonSchema } from '../../src/z/to-json-schema.ts'
import * as z from '../../src/zod3.ts'
import { outcome } from './compare.ts'

const first = (schema: z.AnySchema, value: unknown): z.Issue | undefined => schema.safeParse(value).error?.issues[0]

test.each([
  ['true', true],
  ['TRUE', true],
  ['1', true],
  ['on', true],
  ['Yes', true],
  ['y', true],
  ['false', false],
  ['0', false],
  ['off', false],
  ['no', false],
  ['N', false],
  ['', false],
  [0, false],
  [1, true],
  [null, false],
  [undefined, false],
  [{}, true],
])('V15: coerce.boolean() makes of %j %s', (value, expected) => {
  expect(z.coerce.boolean().parse(value)).toBe(expected)
})

test('V15: another word is an issue, and so is the date of null', () => {
  expect(first(z.coerce.boolean(), 'maybe')?.message).toBe('Expected boolean, received string')
  expect(first(z.coerce.date(), null)?.message).toBe('Expected date, received null')
  expect(first(z.coerce.number(), Symbol('s'))?.code).toBe('invalid_type')
})

describe('stringbool', () => {
  test('words match in any case, unless case is "sensitive"', () => {
    expect({ enabled: z.stringbool().parse('ENABLED'), n: z.stringbool().parse('n') }).toEqual({
      enabled: true,
      n: false,
    })
    const own = z.stringbool({ truthy: ['Ja'], falsy: ['Nein'], case: 'sensitive' })
    expect({ ja: own.parse('Ja'), nein: own.parse('Nein'), lowercase: own.safeParse('ja').success }).toEqual({
      ja: true,
      nein: false,
      lowercase: false,
    })
  })

  test('its issues', () => {
    expect(first(z.stringbool({ truthy: ['a'], falsy: ['b'] }), 'c')).toMatchObject({
      code: 'invalid_enum_value',
      options: ['a', 'b'],
      received: 'c',
    })
    expect(first(z.stringbool({ required_error: 'gone' }), undefined)?.message).toBe('gone')
  })
})

test('the properties of schemas', () => {
  const [text, count] = [z.string(), z.number()]
  expect(z.array(text).element).toBe(text)
  expect({ keySchema: z.record(text, count).keySchema, valueSchema: z.record(text, count).valueSchema }).toEqual({
    keySchema: text,
    valueSchema: count,
  })
  expect({ keySchema: z.map(text, count).keySchema, valueSchema: z.map(text, count).valueSchema }).toEqual({
    keySchema: text,
    valueSchema: count,
  })
  expect(z.tuple([text, count]).items).toEqual([text, count])
  expect(z.union([text, count]).options).toEqual([text, count])
  expect(z.literal(5).value).toBe(5)
  expect(z.enum(['a', 'b']).enum).toEqual({ a: 'a', b: 'b' })
  expect(z.enum(['a', 'b']).extract(['a']).options).toEqual(['a'])
  expect(z.nativeEnum({ a: 1 }).enum).toEqual({ a: 1 })
  expect(z.lazy(() => text).schema).toBe(text)
  expect(z.optional(text).unwrap()).toBe(text)
  expect(z.nullable(text).unwrap()).toBe(text)
  expect(z.string({ description: 'words' }).min(1).description).toBe('words')
  const either = z.discriminatedUnion('t', [z.object({ t: z.literal('a') })])
  expect({
    discriminator: either.discriminator,
    options: either.options.length,
    keys: [...either.optionsMap.keys()],
  }).toEqual({ discriminator: 't', options: 1, keys: ['a'] })
})

test('V12: intersections merge deeply, or say that they cannot', () => {
  const any = z.any()
  const both = (a: unknown, b: unknown): z.AnySchema => any.transform(() => a).and(any.transform(() => b))
  expect(both({ a: [1, { b: 1 }] }, { a: [1, { c: 2 }] }).parse(0)).toEqual({ a: [1, { b: 1, c: 2 }] })
  expect(both(new Date(5), new Date(5)).parse(0)).toEqual(new Date(5))
  for (const [a, b] of [
    [1, 2],
    [{ a: 1 }, { a: 2 }],
    [[1], [1, 2]],
    [new Date(1), new Date(2)],
    [{}, []],
    [new Map(), new Map()],
  ]) {
    expect(first(both(a, b), 0)?.code).toBe('invalid_intersection_types')
  }
})

test('V18: the value that tells alternatives apart, inside of wrappers', () => {
  const fields = [
    z.literal('a').optional(),
    z.literal('b').nullable(),
    z.lazy(() => z.literal('c')),
    z.literal('d').default('d'),
    z.literal('e').brand<'x'>(),
    z.enum(['f']).refine(() => true),
    z.nativeEnum({ g: 'g' }).readonly(),
    z.literal('h').catch('h'),
    z.union([z.literal('i'), z.literal('j')]),
  ] as const
  for (const field of fields) {
    const schema = z.discriminatedUnion('t', [z.object({ t: field })])
    const value = [...schema.optionsMap.keys()].find((key) => typeof key === 'string')
    expect(schema.safeParse({ t: value }).success).toBe(true)
  }
  expect(
    z.discriminatedUnion('t', [z.object({ t: z.undefined() }), z.object({ t: z.null() })]).parse({ t: null }),
  ).toEqual({ t: null })
})

test('custom and instanceof: forms of their message; what follows does not run', () => {
  const none = (): never => expect.unreachable()
  expect(z.custom<string>().parse(5)).toBe(5)
  expect(first(z.custom(() => false, 'no').refine(none), 1)).toEqual({
    code: 'custom',
    message: 'no',
    fatal: true,
    path: [],
  })
  expect(
    first(
      z.custom(() => false, { message: 'no', path: ['x'] }),
      1,
    )?.path,
  ).toEqual(['x'])
  expect(
    first(
      z.custom(
        () => false,
        (value) => ({ message: `${value}` }),
      ),
      1,
    )?.message,
  ).toBe('1')
  expect(first(z.instanceof(URL, 'an address'), 1)?.message).toBe('an address')
})

test('url accepts é however often it is asked: URL.canParse of Node 20 refuses it once it is hot', () => {
  const [plain, web, normalized] = [z.string().url(), z.httpUrl(), z.url({ normalize: true })]
  const fits = (): boolean =>
    [plain, web, normalized].every((schema) => schema.safeParse('https://m\u00fcnchen.de/caf\u00e9').success)
  expect(Array.from({ length: 30_000 }, fits)).not.toContain(false)
})

test('V8, V9: options of url and uuid; tokens by their header', () => {
  expect(
    z
      .string()
      .url({ protocol: /^https?$/ })
      .safeParse('https://x.io').success,
  ).toBe(true)
  expect(z.string().uuid({ version: 4 }).safeParse('7d444840-9dc0-41d1-b245-5ffdce74fad2').success).toBe(true)
  expect(z.string().uuid({ version: 7 }).safeParse('7d444840-9dc0-41d1-b245-5ffdce74fad2').success).toBe(false)
  const token = (header: unknown): string => `${btoa(JSON.stringify(header)).replaceAll('=', '')}.e30.x`
  expect(
    z
      .string()
      .jwt()
      .safeParse(token({ alg: 'HS256', typ: 'JWT' })).success,
  ).toBe(true)
  for (const header of [null, 1, {}, { alg: '' }, { alg: 'HS256', typ: 'X' }])
    expect(z.string().jwt().safeParse(token(header)).success).toBe(false)
  expect(
    z
      .string()
      .jwt({ alg: 'RS256' })
      .safeParse(token({ alg: 'HS256' })).success,
  ).toBe(false)
})

test.each<[string, z.AnySchema, object, object]>([
  ['catch', z.string().catch('x'), {}, { type: 'string' }],
  ['preprocess', z.preprocess(String, z.string()), {}, { type: 'string' }],
  ['transform', z.string().transform(Number), { type: 'string' }, {}],
  ['readonly', z.string().readonly(), { type: 'string' }, { type: 'string', readOnly: true }],
  ['default by a function', z.string().default(() => 'x'), { type: 'string' }, { type: 'string' }],
  ['coerce.string', z.coerce.string(), {}, { type: 'string' }],
  ['coerce.boolean', z.coerce.boolean(), {}, { type: 'boolean' }],
  [
    'refine and brand',
    z
      .string()
      .refine(() => true)
      .brand<'x'>(),
    { type: 'string' },
    { type: 'string' },
  ],
])('JSON Schema of what %s takes and gives', (_, schema, input, output) => {
  const wrapped = z.object({ a: schema })
  expect(toJsonSchema(wrapped)).toMatchObject({ properties: { a: input } })
  expect(toJsonSchema(wrapped, { io: 'output' })).toMatchObject({ properties: { a: output } })
})

/** Both libraries, under one type. */
const libraries: [typeof z, typeof z] = [z, zod as never as typeof z]

test.each<[string, (from: typeof z) => unknown]>([
  ['a number', ({ number }) => number()],
  ['bounds of a number', ({ number }) => number().min(1).gt(2).max(9).lt(8)],
  ['a lower bound alone', ({ number }) => number().min(1)],
  ['a finite number', ({ number }) => number().finite()],
  ['a whole number', ({ number }) => number().int()],
  ['a multiple of a whole number', ({ number }) => number().multipleOf(2)],
  ['a multiple of a fraction', ({ number }) => number().multipleOf(0.5)],
  ['a bound without an end', ({ number }) => number().min(1).max(Number.POSITIVE_INFINITY)],
])('P28: minValue, maxValue, isInt and isFinite of %s are those of zod 3', (_, build) => {
  const [ours, theirs] = libraries.map((library) => {
    const { minValue, maxValue, isInt, isFinite } = build(library) as ReturnType<typeof z.number>
    return { minValue, maxValue, isInt, isFinite }
  })
  expect(ours).toEqual(theirs)
})

test('P28: the bounds of bigints and dates are those of zod 3', () => {
  const [early, late] = [new Date(1), new Date(9)]
  const [ours, theirs] = libraries.map(({ bigint, date }) => {
    const numbers = [bigint(), bigint().min(1n).gt(2n).max(9n).lt(8n), bigint().min(5n).min(3n).max(6n).max(7n)]
    const dates = [date(), date().min(early).min(late), date().max(early).max(late)]
    return [
      ...numbers.map(({ minValue, maxValue }) => [minValue, maxValue]),
      ...dates.map(({ minDate, maxDate }) => [minDate, maxDate]),
    ]
  })
  expect(ours).toEqual(theirs)
})

test('P28: instanceof a Zod… class and _def.typeName say the same of a schema as in zod 3', () => {
  const kinds = ({ literal, object, string, ...from }: typeof z): Record<string, z.AnySchema> => ({
    string: string(),
    number: from.number(),
    bigint: from.bigint(),
    nan: from.nan(),
    enum: from.enum(['a']),
    nativeEnum: from.nativeEnum({ a: 1 }),
    object: object({ a: string() }),
    union: from.union([string(), literal(1)]),
    discriminatedUnion: from.discriminatedUnion('t', [object({ t: literal('a') })]),
    optional: string().optional(),
    nullable: string().nullable(),
    default: string().default('x'),
    catch: string().catch('x'),
    brand: string().brand<'x'>(),
    readonly: string().readonly(),
    refine: string().refine(() => true),
    transform: string().transform(Number),
    preprocess: from.preprocess(String, string()),
    pipe: string().pipe(string()),
    lazy: from.lazy(() => string()),
    promise: from.promise(string()),
    record: from.record(string()),
    tuple: from.tuple([string()]),
  })
  const names = Object.keys(zod).filter((name) => /^Zod[A-Z]/.test(name) && name in z && name !== 'ZodType')
  const [ours, theirs] = libraries.map((library) =>
    Object.entries(kinds(library)).map(([kind, schema]) => [
      kind,
      (schema as never as zod.ZodTypeAny)._def.typeName,
      // any: only some of these are classes.
      names.filter((name) => {
        const type = library[name as 'ZodString'] as any
        return typeof type === 'function' && schema instanceof type
      }),
    ]),
  )
  expect(ours).toEqual(theirs)
  for (const value of [undefined, null, {}, 'a', { def: undefined }]) expect(value instanceof z.ZodString).toBe(false)
})

test('P28: the definition of a wrapper has the names of its parts in zod 3', () => {
  const [ours, theirs] = libraries.map(({ map, object, record, set, string }) => {
    const text = string()
    const parts = object({ a: text })
    const holders = [record(text, parts), map(text, parts), set(parts)]
    const defs = [text.optional(), text.refine(() => true), parts, text.pipe(text), ...holders].map(
      // any: each kind has definitions of its own.
      (schema) => (schema as any)._def,
    )
    const [optional, effects, shaped, pipeline, ...held] = defs
    return [
      optional.innerType === text,
      effects.schema === text,
      shaped.shape().a === text,
      [pipeline.in === text, pipeline.out === text],
      'shape' in optional,
      held.map(({ keyType, valueType }) => [keyType === text, valueType === parts]),
    ]
  })
  expect(ours).toEqual(theirs)
})

test.each<[string, (from: typeof z) => z.ZodTypeAny]>([
  ['transform', ({ effect, string }) => effect(string(), { type: 'transform', transform: (text) => text.length })],
  ['preprocess', ({ transformer, string }) => transformer(string(), { type: 'preprocess', transform: String })],
  [
    'refinement',
    ({ ZodEffects, string }) =>
      ZodEffects.create(string().min(2), {
        type: 'refinement',
        refinement: (text, { addIssue }) => text !== 'ada' && addIssue({ code: 'custom', message: 'No ada' }),
      }),
  ],
])('P28: effect, transformer and ZodEffects.create take the %s of zod 3', (_, build) => {
  for (const value of ['ada', 'x', 5, undefined]) {
    const [ours, theirs] = libraries.map((from) => outcome(build(from), value))
    expect(ours).toEqual(theirs)
  }
  expect(build(z)).toBeInstanceOf(z.ZodEffects)
})

test('P28: ZodError.assert, addIssue and addIssues are those of zod 3', () => {
  const issue: z.Issue & zod.ZodCustomIssue = { code: 'custom', path: ['a'], message: 'no' }
  const [ours, theirs] = [z.ZodError, zod.ZodError].map((ZodError) => {
    const error = new ZodError([])
    const empty = error.isEmpty
    error.addIssue(issue)
    error.addIssues([issue])
    error.addIssues()
    const asserting = [error, new Error('x')].map((value) => {
      try {
        return ZodError.assert(value)
      } catch (thrown) {
        return (thrown as Error).message
      }
    })
    return {
      before: empty,
      isEmpty: error.isEmpty,
      errors: error.errors.length,
      fieldErrors: error.formErrors.fieldErrors,
      asserting,
    }
  })
  expect(ours).toEqual(theirs)
})
