import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z as zod } from 'zod'
import * as z from '../../src/zod3.ts'
import { outcome } from './compare.ts'

/** Both libraries have these names; a case is given to either. */
type Z = typeof z

const numeric = (z: Z) =>
  z.codec(z.string().regex(/^-?\d+$/), z.number().int(), { decode: (text) => Number(text), encode: (n) => `${n}` })
const day = (z: Z) =>
  z.codec(z.string().datetime(), z.date(), { decode: (text) => new Date(text), encode: (date) => date.toISOString() })

const twice = (z: Z) =>
  z
    .string()
    .overwrite((text) => `${text}a`)
    .overwrite((text) => `${text}b`)
const word = (z: Z, from: number, to: string) =>
  z.codec(z.literal(from), z.literal(to), { decode: () => to, encode: () => from })

const CASES: [string, (z: Z) => z.AnySchema, unknown[]][] = [
  ['codec', numeric, [5, -1, 1.5, 'x', null]],
  ['codec of dates', day, [new Date(0), new Date(Number.NaN), '2026-01-01T00:00:00.000Z']],
  ['text', (z) => z.string().min(2), ['ab', 'a', 1]],
  [
    'object',
    (z) => z.object({ a: numeric(z), b: z.string().optional() }),
    [{ a: 1 }, { a: 1, b: 'x' }, { a: '1' }, {}],
  ],
  ['array', (z) => z.array(numeric(z)).min(1), [[1, 2], [], ['1']]],
  [
    'tuple',
    (z) => z.tuple([numeric(z), z.string()]),
    [
      [1, 'x'],
      ['1', 'x'],
    ],
  ],
  ['record', (z) => z.record(z.string(), numeric(z)), [{ a: 1 }, { a: 'x' }]],
  ['map', (z) => z.map(z.string(), numeric(z)), [new Map([['a', 1]])]],
  ['set', (z) => z.set(numeric(z)), [new Set([1, 2])]],
  ['optional', (z) => numeric(z).optional(), [undefined, 1, null]],
  ['nullable', (z) => numeric(z).nullable(), [null, 1, undefined]],
  ['union', (z) => z.union([z.boolean(), numeric(z)]), [true, 1, 'x']],
  [
    'discriminated union',
    (z) => z.discriminatedUnion('t', [z.object({ t: z.literal('a'), v: numeric(z) }), z.object({ t: z.literal('b') })]),
    [{ t: 'a', v: 1 }, { t: 'b' }, { t: 'a', v: 'x' }, { t: 'c' }],
  ],
  [
    'discriminated union by a codec',
    (z) =>
      z.discriminatedUnion('t', [
        z.object({ t: word(z, 1, 'one') }),
        z.object({ t: word(z, 2, 'two'), v: z.string() }),
      ]),
    [{ t: 'one' }, { t: 'two', v: 'x' }, { t: 'two' }, { t: 1 }],
  ],
  [
    'codec of texts that are overwritten',
    (z) => z.codec(twice(z), twice(z), { decode: String, encode: String }).overwrite((text: string) => `${text}c`),
    ['', 'x', 5],
  ],
  ['words for yes and no', (z) => z.stringbool(), [true, false, 'true', null]],
  ['own words for yes and no', (z) => z.stringbool({ truthy: ['Ja', 'J'], falsy: ['Nein'] }), [true, false]],
  ['intersection', (z) => z.object({ a: numeric(z) }).and(z.object({ b: z.string() })), [{ a: 1, b: 'x' }, { a: 1 }]],
  ['refined', (z) => numeric(z).refine((n) => n > 0), [1, 0, -1]],
  ['default', (z) => numeric(z).default(7 as never), [1, undefined]],
  ['default of a text', (z) => z.string().default('x'), ['a', undefined]],
  ['readonly', (z) => z.object({ a: numeric(z) }).readonly(), [{ a: 1 }]],
  ['lazy', (z) => z.object({ a: z.lazy(() => numeric(z)) }), [{ a: 1 }, { a: 'x' }]],
  ['codec of a codec', (z) => z.codec(numeric(z), z.string(), { decode: String, encode: Number }), ['5', 5]],
  ['pipe', (z) => numeric(z).pipe(z.number().max(5)), [5, 6]],
]

describe('P28: codecs', () => {
  test.each(CASES)('%s: encode gives what zod 4 gives', (_, build, values) => {
    const mine = build(z)
    const theirs = build(zod as never)
    for (const value of values) {
      const expected = zod.safeEncode(theirs as never, value as never)
      const received = z.safeEncode(mine, value)
      expect({ value, success: received.success }).toEqual({ value, success: expected.success })
      expect(received.data).toEqual(expected.data)
    }
  })

  test('decoding an encoded value returns the same value, for random values', () => {
    const schema = z.object({ a: z.array(numeric(z)), at: day(z), more: z.record(numeric(z)).optional() })
    const value = fc.record(
      {
        a: fc.array(fc.integer()),
        at: fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }),
        more: fc.dictionary(fc.constantFrom('a', 'b'), fc.integer(), { noNullPrototype: true }),
      },
      { requiredKeys: ['a', 'at'], noNullPrototype: true },
    )
    fc.assert(
      fc.property(value, (given) => {
        expect(z.decode(schema, z.encode(schema, given))).toEqual(given)
      }),
    )
  })

  test('a schema without codecs is encoded as it is parsed', () => {
    const schema = z
      .object({
        a: z
          .string()
          .min(2)
          .refine((text) => text !== 'no'),
      })
      .strict()
    for (const value of [{ a: 'ab' }, { a: 'a' }, { a: 'no' }, { b: 1 }, null])
      expect(outcome({ safeParse: (given) => z.safeEncode(schema, given as never) }, value)).toEqual(
        outcome(schema, value),
      )
  })

  test.each<[string, z.AnySchema]>([
    ['transform', z.string().transform(Number)],
    ['preprocess', z.preprocess(String, z.string())],
    ['transform inside', z.object({ a: z.array(z.string().transform(Number)) })],
  ])('%s has no way back, and says so each time', (_, schema) => {
    for (let time = 0; time < 2; time++)
      expect(() => z.safeEncode(schema, 1)).toThrow('encode: schema: expected a schema that can be reversed')
  })

  test('schemas that hold themselves, by lazy and by a getter', () => {
    const node: z.AnySchema = z.object({ n: numeric(z), next: z.lazy(() => node).optional() })
    expect(z.encode(node, { n: 1, next: { n: 2 } })).toEqual({ n: '1', next: { n: '2' } })
    const tree = z.object({
      n: numeric(z),
      get sub(): z.AnySchema {
        return z.array(tree)
      },
    })
    expect(z.encode(tree, { n: 1, sub: [{ n: 2, sub: [] }] })).toEqual({ n: '1', sub: [{ n: '2', sub: [] }] })
    const circle: { n: number; next?: unknown } = { n: 1 }
    circle.next = circle
    expect(z.safeEncode(node, circle).success).toBe(false)
  })

  test('a throwing encode, decode, and promises', async () => {
    expect(() => z.encode(numeric(z), 1.5)).toThrow(z.ValidationError)
    expect(z.decode(numeric(z), '5')).toBe(5)
    expect(z.safeDecode(numeric(z), 'x').error?.issues[0]?.code).toBe('invalid_string')
    const late = z.codec(z.string(), z.number(), { decode: async (text) => Number(text), encode: async (n) => `${n}` })
    expect(await z.encodeAsync(late, 5)).toBe('5')
    expect((await z.safeEncodeAsync(late, 'x' as never)).success).toBe(false)
    expect(await late.parseAsync('5')).toBe(5)
    expect(await z.decodeAsync(late, '5')).toBe(5)
    expect((await z.safeDecodeAsync(late, 5 as never)).success).toBe(false)
  })
})

describe('encode: a refinement sees only what has the type of an output', () => {
  const Node: z.ZodType = z
    .object({
      a: z.string(),
      get next() {
        return Node.optional()
      },
    })
    .refine(({ a }: { a: string }) => a.length > 1, 'short')

  test.each<[string, unknown, (string | number)[]]>([
    ['null', null, []],
    ['null below a getter', { a: 'ab', next: null }, ['next']],
    ['a key of another type', { a: null }, ['a']],
    ['a value that the refinement refuses', { a: 'ab', next: { a: 'a' } }, ['next']],
  ])('%s', (_, value, path) => {
    expect(z.safeEncode(Node, value).error?.issues).toMatchObject([{ path }])
  })

  test('the second refinement, too, is not asked about another type', () => {
    const twice = z
      .object({ at: numeric(z) })
      .refine(({ at }) => at > 1, 'small')
      .refine(({ at }) => at.toFixed(1) !== '2.0', 'two')
    expect(z.encode(twice, { at: 3 })).toEqual({ at: '3' })
    expect(z.safeEncode(twice, { at: 2 }).error?.issues).toMatchObject([{ message: 'two' }])
    expect(z.safeEncode(twice, 'x' as never).error?.issues).toMatchObject([{ code: 'invalid_type', path: [] }])
  })

  test('alternatives that keep their tag are told apart by it, others one by one', () => {
    const [a, b] = [z.object({ kind: z.enum(['a', 'c']), at: numeric(z) }), z.object({ kind: z.literal('b') })]
    const kept = z.discriminatedUnion('kind', [a, b])
    expect(z.encode(kept, { kind: 'c', at: 1 })).toEqual({ kind: 'c', at: '1' })
    expect(z.safeEncode(kept, { kind: 'd' } as never).error?.issues).toMatchObject([
      { code: 'invalid_union_discriminator' },
    ])
    const nested = z.discriminatedUnion('kind', [
      z.discriminatedUnion('kind', [a, b]),
      z.object({ kind: z.literal(1) }),
    ])
    expect(z.safeEncode(nested as never, { kind: 'd' } as never).error?.issues).toMatchObject([
      { code: 'invalid_union_discriminator' },
    ])
  })

  test('further keys stay', () => {
    const schema = z.object({}).catchall(numeric(z)).refine(Boolean)
    expect(z.encode(schema, { more: 1 })).toEqual({ more: '1' })
    expect(z.safeEncode(schema, { more: 'x' } as never).error?.issues).toMatchObject([{ path: ['more'] }])
  })

  test('what fits is encoded', () => {
    const value = { a: 'ab', next: { a: 'cd' } }
    expect(z.encode(Node, value)).toEqual(value)
  })
})
