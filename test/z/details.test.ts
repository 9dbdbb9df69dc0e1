import { describe, expect, test } from 'vitest'
import { toJsonSchema } from '../../src/z/to-json-schema.ts'
import * as z from '../../src/z.ts'

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
  test('words in capitals or not, unless they matter', () => {
    expect([z.stringbool().parse('ENABLED'), z.stringbool().parse('n')]).toEqual([true, false])
    const own = z.stringbool({ truthy: ['Ja'], falsy: ['Nein'], case: 'sensitive' })
    expect([own.parse('Ja'), own.parse('Nein'), own.safeParse('ja').success]).toEqual([true, false, false])
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
  expect([z.record(text, count).keySchema, z.record(text, count).valueSchema]).toEqual([text, count])
  expect([z.map(text, count).keySchema, z.map(text, count).valueSchema]).toEqual([text, count])
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
  expect([either.discriminator, either.options.length, [...either.optionsMap.keys()]]).toEqual(['t', 1, ['a']])
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
