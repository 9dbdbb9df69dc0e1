import { Ajv } from 'ajv'
import fc from 'fast-check'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { z as zod } from 'zod'
import * as z from '../../src/zod3.ts'
import { runs } from '../fuzz.ts'

/** Both libraries have these names; a case is given to either. */
type Z = typeof z

const accepts = (schema: unknown, value: unknown): boolean => (schema as z.AnySchema).safeParse(value).success

const both = (build: (z: Z) => unknown, value: unknown): { ours: boolean; theirs: boolean } => ({
  ours: accepts(build(z), value),
  theirs: accepts(build(zod as never), value),
})

const TEXTS = [
  '',
  'a',
  'ada@x.io',
  'a..b@x.io',
  'https://x.io/a?b#c',
  'http://localhost:80',
  'mailto:ada@x.io',
  '//x',
  '550e8400-e29b-41d4-a716-446655440000',
  '550e8400-e29b-71d4-a716-446655440000',
  '550e8400-e29b-61d4-a716-446655440000',
  '550e8400-e29b-41d4-c716-446655440000',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '550E8400-E29B-41D4-A716-446655440000',
  'cjld2cjxh0000qzrmn831i7rn',
  'tz4a98xxat96iws9zmbrgj3a',
  '01ARZ3NDEKTSV4RRFFQ69G5FAV',
  'V1StGXR8_Z5jdHi6B-myT',
  'aGk=',
  'aGk',
  '😀',
  '1️⃣',
  '🇩🇪',
  '😀a',
  '5#',
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.x',
  '127.0.0.1',
  '256.0.0.1',
  '::1',
  '2001:db8::ff00:42:8329',
  '10.0.0.0/8',
  '10.0.0.0/33',
  '2001:db8::/32',
  '+14155552671',
  '+0415555',
  '14155552671',
  '2028-02-29',
  '2026-02-29',
  '12:30:00',
  '2026-01-01T12:30:00Z',
  'P1DT12H',
  'P5W',
  'P1W2D',
  '-P1D',
  'PT0,001S',
  'PT0,5H',
  '2026-01-01T12:30Z',
  '2026-01-01T12:30',
  '2026-01-01T12:30:00.123+02:00',
  '2026-01-01T12:30:00+0200',
  '2026-01-01T12:30+02:00',
  '2026-01-01T12:30:00+24:00',
  'a6ea::2454:a5ce:94.105.123.75',
  '::ffff:192.0.2.1',
  '::ffff:192.0.2.01',
  '::ffff:1.2.3.4:5',
  'fe80::1%eth0',
  '::1\n',
  '::@1\\',
  '2001:db8::1.2.3.4/64',
  '::ffff:192.0.2.1/129',
  '81ARZ3NDEKTSV4RRFFQ69G5FAV',
  'Cjld2cjxh0000qzrmn831i7rn',
  'cifjhdsfhsd-invalid-cuid',
  ' https://x.io ',
  'https://x.io.',
  'https:/x.io/',
  'http:x.io',
  'HTTP://x.io',
  'https://127.0.0.1/',
  'DEADbeef09',
  'a-b.c',
  'a-.b',
  'a..b',
  'x.io.',
  `${'a'.repeat(63)}.b`,
  `${'a'.repeat(64)}.b`,
  `${'a.'.repeat(126)}b`,
  `${'a.'.repeat(127)}b`,
  `http://${'a'.repeat(63)}.io`,
  `http://${'a'.repeat(64)}.io`,
]

describe('P28: the formats of zod 4 accept what zod 4 accepts', () => {
  test.each<[string, (z: Z) => unknown]>([
    ['email', (z) => z.email()],
    ['url', (z) => z.url()],
    ['url with a protocol and a host', (z) => z.url({ protocol: /^https$/, hostname: /^x\.io$/ })],
    ['url with http or https', (z) => z.url({ protocol: /^https?$/ })],
    ['url with http or https, normalized', (z) => z.url({ protocol: /^https?$/, normalize: true })],
    ['uuid', (z) => z.uuid()],
    ['uuid of a version', (z) => z.uuid({ version: 'v7' })],
    ['uuidv4', (z) => z.uuidv4()],
    ['uuidv6', (z) => z.uuidv6()],
    ['uuidv7', (z) => z.uuidv7()],
    ['guid', (z) => z.guid()],
    ['cuid', (z) => z.cuid()],
    ['cuid2', (z) => z.cuid2()],
    ['ulid', (z) => z.ulid()],
    ['nanoid', (z) => z.nanoid()],
    ['base64', (z) => z.base64()],
    ['base64url', (z) => z.base64url()],
    ['jwt', (z) => z.jwt()],
    ['emoji', (z) => z.emoji()],
    ['ipv4', (z) => z.ipv4()],
    ['ipv6', (z) => z.ipv6()],
    ['cidrv4', (z) => z.cidrv4()],
    ['cidrv6', (z) => z.cidrv6()],
    ['e164', (z) => z.e164()],
    ['hex', (z) => z.hex()],
    ['hostname', (z) => z.hostname()],
    ['httpUrl', (z) => z.httpUrl()],
    ['iso.date', (z) => z.iso.date()],
    ['iso.datetime', (z) => z.iso.datetime()],
    ['iso.datetime with offsets', (z) => z.iso.datetime({ offset: true })],
    ['iso.datetime without zones', (z) => z.iso.datetime({ local: true, offset: true })],
    ['iso.datetime of seconds without zones', (z) => z.iso.datetime({ local: true, precision: 0 })],
    ['iso.datetime of minutes', (z) => z.iso.datetime({ precision: -1, offset: true })],
    ['iso.duration', (z) => z.iso.duration()],
    ['iso.time', (z) => z.iso.time()],
    ['iso.time of seconds', (z) => z.iso.time({ precision: 0 })],
    ['iso.time of milliseconds', (z) => z.iso.time({ precision: 3 })],
  ])('%s', (_, build) => {
    for (const text of [...TEXTS, 5, null, undefined]) expect({ text, ...both(build, text) }).toSatisfy(isSame)
  })

  test.each<[string, (z: Z) => unknown]>([
    ['int', (z) => z.int()],
    ['int32', (z) => z.int32()],
    ['uint32', (z) => z.uint32()],
    ['float32', (z) => z.float32()],
    ['float64', (z) => z.float64()],
    ['int64', (z) => z.int64()],
    ['uint64', (z) => z.uint64()],
  ])('%s, both sides of every limit', (_, build) => {
    const limits = [0, 2 ** 31, -(2 ** 31), 2 ** 32, 2 ** 53, -(2 ** 53), 3.4028234663852886e38, Number.MAX_VALUE]
    const numbers = limits.flatMap((limit) => [limit - 1, limit, limit + 1, limit * 1.0000001, limit + 0.5])
    const bigs = [0n, 2n ** 63n, -(2n ** 63n), 2n ** 64n].flatMap((limit) => [limit - 1n, limit, limit + 1n])
    const odd = [Number.NaN, Number.POSITIVE_INFINITY, '5', null]
    for (const value of [...numbers, ...bigs, ...odd]) expect({ value, ...both(build, value) }).toSatisfy(isSame)
  })

  test('json, over random values', () => {
    const given = fc.oneof(fc.jsonValue(), fc.anything())
    fc.assert(
      fc.property(given, (value) => {
        fc.pre(!hasOwnProto(value))
        expect({ value, ...both((z) => z.json(), value) }).toSatisfy(isSame)
      }),
      { numRuns: runs(10_000) },
    )
    expect(z.json().parse({ a: [1, null, { b: 'x' }] })).toEqual({ a: [1, null, { b: 'x' }] })
  })

  test('an address loses the white space around it, and is written as new URL does when asked to', () => {
    expect(z.url().parse(' https://x.io?a ')).toBe('https://x.io?a')
    expect(z.url({ normalize: true }).parse(' https://x.io?a ')).toBe('https://x.io/?a')
    expect(z.url({ normalize: true }).safeParse('x').error?.issues).toHaveLength(1)
    const often = z.url({ protocol: /^https$/g, hostname: /^x\.io$/g })
    expect([1, 2, 3].map(() => often.safeParse('https://x.io').success)).toEqual([true, true, true])
  })

  test('minutes are no date-time of JSON Schema', () => {
    expect(z.toJSONSchema(z.iso.datetime())).toMatchObject({ format: 'date-time' })
    expect(z.toJSONSchema(z.iso.datetime({ precision: -1 }))).not.toHaveProperty('format')
  })

  test('a format speaks with its own words, and is a string schema', () => {
    expect(z.email('No mail').safeParse('x').error?.issues[0]?.message).toBe('No mail')
    expect(z.jwt({ alg: 'HS256', message: 'No token' }).safeParse('x').error?.issues[0]?.message).toBe('No token')
    expect(z.url({ message: 'No site' }).safeParse('x').error?.issues[0]?.message).toBe('No site')
    expect(z.email().endsWith('.io').optional().parse('ada@x.io')).toBe('ada@x.io')
    expect(z.email().safeParse('x').error?.issues).toEqual([
      { validation: 'email', code: 'invalid_string', path: [], message: 'Invalid email' },
    ])
  })
})

const isSame = ({ ours, theirs }: { ours: boolean; theirs: boolean }): boolean => ours === theirs

const hasOwnProto = (value: unknown): boolean => JSON.stringify(Object(value), safely)?.includes('__proto__') ?? false
const safely = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? 0 : value)

describe('P28: objects, records and files', () => {
  test('strictObject, looseObject and partialRecord', () => {
    const cases: ((z: Z) => unknown)[] = [
      (z) => z.strictObject({ a: z.string() }),
      (z) => z.looseObject({ a: z.string() }),
      (z) => z.partialRecord(z.enum(['a', 'b']), z.string()),
    ]
    for (const build of cases)
      for (const value of [{}, { a: 'x' }, { a: 1 }, { a: 'x', b: 'y' }, { a: 'x', c: 1 }, null])
        expect({ value, ...both(build, value) }).toSatisfy(isSame)
  })

  test.each([
    {},
    { a: 'x' },
    { a: 'x', 2: 'y' },
    { '-3': 'x' },
    { 1.5: 'x' },
    { d: 'x' },
    { 4: 'x' },
    { 1: 5 },
    { '1e0': 'x' },
  ])('partialRecord with texts and numbers among its keys: %j', async (value) => {
    const build = (z: Z): unknown =>
      z.partialRecord(z.union([z.literal(['a', 'b']), z.literal([1, 2, -3, 1.5])]), z.string())
    expect({ value, ...both(build, value) }).toSatisfy(isSame)
    const schema = build(z) as z.AnySchema
    const { success } = schema.safeParse(value)
    expect((await schema.safeParseAsync(value)).success).toBe(success)
    expect(new Ajv({ strict: false }).validate(z.toJSONSchema(schema, { target: 'draft-7' }), value)).toBe(success)
  })

  test('partialRecord whose keys are any numbers', () => {
    const schema = z.partialRecord(z.number().int(), z.string())
    expect(schema.parse({ 5: 'x', '-1': 'y' })).toEqual({ 5: 'x', '-1': 'y' })
    expect(schema.safeParse({ 1.5: 'x' }).error!.issues).toMatchObject([{ path: ['1.5'] }])
    expect(z.toJSONSchema(schema)).toMatchObject({ propertyNames: { pattern: '^-?\\d+(?:\\.\\d+)?$' } })
  })

  test.each([
    ['a file is kept', z.file(), true],
    ['smallest size', z.file().min(3), true],
    ['one byte too small', z.file().min(4), false],
    ['greatest size', z.file().max(3), true],
    ['one byte too big', z.file().max(2), false],
    ['its type', z.file().mime('text/plain'), true],
    ['one of several types', z.file().mime(['image/png', 'text/plain']), true],
    ['another type', z.file().mime(['image/png']), false],
  ])('%s', (_, schema, fits) => {
    const value = new File(['abc'], 'a.txt', { type: 'text/plain' })
    expect(schema.safeParse(value).success).toBe(fits)
    expect(schema.safeParse(new Blob(['abc'])).error?.issues[0]).toMatchObject({
      code: 'invalid_type',
      expected: 'file',
    })
  })

  test('a refused file names its limit', () => {
    expect(
      z
        .file()
        .max(2)
        .safeParse(new File(['abc'], 'a')).error?.issues,
    ).toEqual([{ code: 'custom', params: { maximum: 2 }, path: [], message: 'File must be at most 2 bytes' }])
  })
})

describe('P28: errors', () => {
  const key = fc.oneof(fc.constantFrom('a', 'b', '__proto__', 'constructor', 'x-y', 'x y'), fc.nat(4))
  const issue = fc.record({ code: fc.constant('custom'), path: fc.array(key, { maxLength: 3 }), message: fc.string() })

  test('the levels of treeifyError are plain objects, that of a property __proto__ too', () => {
    const issue = (key: string) => ({ code: 'custom', path: [key], message: key })
    const { properties } = z.treeifyError<Record<string, string>>({ issues: [issue('a'), issue('__proto__')] as never })
    expect(Object.getOwnPropertyDescriptors(properties)).toEqual(
      Object.getOwnPropertyDescriptors(JSON.parse('{"a":{"errors":["a"]},"__proto__":{"errors":["__proto__"]}}')),
    )
  })

  test('treeifyError, flattenError and prettifyError give what zod 4 gives, for random issues', () => {
    fc.assert(
      fc.property(fc.array(issue, { maxLength: 6 }), (issues) => {
        const error = new z.ValidationError(issues as never)
        fc.pre(!clashes(issues))
        expect(z.treeifyError(error)).toEqual(zod.treeifyError({ issues } as never))
        expect(z.prettifyError(error)).toBe(zod.prettifyError({ issues } as never))
        const mine = z.flattenError(error)
        expect(mine).toEqual(error.flatten())
        expect(z.formatError(error)).toEqual(error.format())
      }),
    )
  })

  test('a mapper, and issues inside of unions', () => {
    const { error } = z.object({ a: z.union([z.number(), z.object({ b: z.string() })]) }).safeParse({ a: {} })
    expect(z.treeifyError(error!, ({ code }) => code)).toEqual({
      errors: [],
      properties: {
        a: { errors: ['invalid_type'], properties: { b: { errors: ['invalid_type'] } } },
      },
    })
    expect(z.flattenError(error!, ({ code }) => code).fieldErrors).toEqual({ a: ['invalid_union'] })
    expect(z.formatError(error!, ({ code }) => code)._errors).toEqual([])
  })
})

/** Does a level have both properties and items: zod 4 then writes names that `prettifyError` quotes otherwise. */
const clashes = (issues: readonly { path: (string | number)[] }[]): boolean =>
  issues.some(({ path }) => path.some((key) => typeof key === 'string' && /\W/.test(key)))

describe('P28: meta, registry, overwrite, toJSONSchema', () => {
  test('meta is data on a schema, and JSON Schema repeats it', () => {
    const named = z.string().meta({ title: 'Name', examples: ['Ada'] })
    expect(named.meta()).toEqual({ title: 'Name', examples: ['Ada'] })
    expect(z.string().meta()).toBeUndefined()
    expect(named.min(1).meta()).toEqual({ title: 'Name', examples: ['Ada'] })
    const more = named.meta({ title: 'First name' }).describe('words')
    expect(more.meta()).toEqual({ title: 'First name', examples: ['Ada'], description: 'words' })
    expect(z.globalRegistry.get(z.string().describe('words'))).toEqual({ description: 'words' })
    expect(z.string().meta({ description: 'words' }).description).toBe('words')
    expect(z.toJSONSchema(z.object({ named }))).toMatchObject({
      properties: { named: { type: 'string', title: 'Name', examples: ['Ada'] } },
    })
  })

  test('a registry adds, gives and removes the metadata of schemas', () => {
    const schema = z.string()
    const known = z.registry<{ title: string }>().add(schema, { title: 'a' })
    expect({ has: known.has(schema), title: known.get(schema)?.title, hasOther: known.has(z.string()) }).toEqual({
      has: true,
      title: 'a',
      hasOther: false,
    })
    expect(known.remove(schema).has(schema)).toBe(false)
    expect(known.add(schema, { title: 'b' }).clear().get(schema)).toBeUndefined()
    expect({ has: known.add(schema).has(schema), metadata: known.get(schema) }).toEqual({
      has: true,
      metadata: undefined,
    })
  })

  test('overwrite changes the value between checks, in their order', () => {
    const halved = z.overwrite((value: number) => value / 2)
    expect(z.number().min(4).check(halved).max(3).parse(6)).toBe(3)
    expect(z.number().check(halved).min(4).safeParse(6).success).toBe(false)
    expect(
      z
        .string()
        .check(z.overwrite((text: string) => `${text}!`))
        .length(2)
        .parse('a'),
    ).toBe('a!')
  })

  test('overwrite is a method too, and keeps the class where a schema has checks', () => {
    expect(
      z
        .string()
        .overwrite((text) => `${text}!`)
        .max(2)
        .parse('a'),
    ).toBe('a!')
    expect(
      z
        .number()
        .overwrite((n) => n * 2)
        .multipleOf(2)
        .parse(1),
    ).toBe(2)
    const sorted = z.array(z.number()).overwrite((list) => [...list].sort())
    expectTypeOf<z.infer<typeof sorted>>().toEqualTypeOf<number[]>()
    expect(sorted.optional().parse([2, 1])).toEqual([1, 2])
    expect(sorted.safeParse(['x']).error?.issues).toHaveLength(1)
    expect(z.encode(z.object({ sorted }), { sorted: [2, 1] })).toEqual({ sorted: [1, 2] })
  })
})

describe('P28: templateLiteral, globalRegistry, register, check', () => {
  const texts = [
    '',
    '5px',
    '-5.5rem',
    '5',
    '5.px',
    'px',
    '05px',
    '1e3px',
    'a-1',
    'a-b-1',
    '-',
    'a-',
    'true',
    'null',
    'undefined',
    '12n',
  ]

  test.each<[string, (z: Z) => unknown]>([
    ['a number and an optional word', (z) => z.templateLiteral([z.number(), z.enum(['px', 'rem']).optional()])],
    ['null beside a text', (z) => z.templateLiteral(['is-', null])],
    ['a whole number', (z) => z.templateLiteral([z.number().int(), 'px'])],
    ['a format of numbers', (z) => z.templateLiteral([z.int(), 'px'])],
    ['a format of 32 bits', (z) => z.templateLiteral([z.int32(), z.literal('px').optional()])],
    ['two texts', (z) => z.templateLiteral([z.string(), '-', z.number()])],
    ['values that are written out', (z) => z.templateLiteral([z.union([z.boolean(), z.null()])])],
    ['a nullable text', (z) => z.templateLiteral(['', z.literal('a').nullable(), z.literal('-').optional()])],
    ['a bigint', (z) => z.templateLiteral([z.bigint()])],
    ['a template in a template', (z) => z.templateLiteral([z.templateLiteral(['a', '-']), z.string()])],
    ['a text with a pattern', (z) => z.templateLiteral([z.string().regex(/^[a-z]$/), '-', z.string()])],
    ['nothing', (z) => z.templateLiteral([])],
    ['a text with a pattern at the end', (z) => z.templateLiteral([z.string(), z.string().regex(/^[a-z]+$/)])],
  ])('templateLiteral accepts what zod 4 accepts: %s', (_, build) => {
    for (const text of [...texts, 5, null]) expect({ text, ...both(build, text) }).toSatisfy(isSame)
  })

  test('a template has the type of its texts, a place in an object, and refuses parts that have no form', () => {
    const size = z.templateLiteral([z.number(), z.enum(['px', 'rem']).optional()])
    expectTypeOf<z.infer<typeof size>>().toEqualTypeOf<`${number}` | `${number}px` | `${number}rem`>()
    expect(z.object({ size }).safeParse({ size: 'x' }).error?.issues).toMatchObject([
      { path: ['size'], code: 'invalid_string', message: 'Invalid input' },
    ])
    expect(z.templateLiteral(['at ', z.url()]).safeParse('at https://x.io').success).toBe(true)
    expect(z.templateLiteral(['at ', z.url()]).safeParse('at x').success).toBe(false)
    for (const part of [z.object({}), z.date(), z.number().overwrite(Math.abs), z.string().trim()])
      expect(() => z.templateLiteral([part as z.AnySchema])).toThrow(TypeError)
  })

  test.each<[z.AnySchema, string, boolean]>([
    [z.int(), 'v9007199254740991', true],
    [z.int(), 'v9007199254740992', false],
    [z.int32(), 'v-2147483648', true],
    [z.int32(), 'v2147483648', false],
    [z.number().min(5), 'v5', true],
    [z.number().min(5), 'v4.9', false],
    [z.number().multipleOf(3).optional(), 'v9', true],
    [z.number().multipleOf(3).optional(), 'v', true],
    [z.number().multipleOf(3).optional(), 'v10', false],
    [z.uint32().nullable(), 'vnull', true],
  ])('a number in a template keeps its checks, where zod 4 drops them: %#', (part, text, fine) => {
    expect(z.templateLiteral(['v', part]).safeParse(text).success).toBe(fine)
  })

  test('a long row of digits, which checks see in pieces, is answered', () => {
    const rows = z.templateLiteral([z.string(), z.int(), z.int(), 'x'])
    expect(rows.safeParse('1'.repeat(50_000)).success).toBe(false)
    expect(rows.safeParse('12x').success).toBe(true)
  })

  test('a long text with many ways to cut it is answered in as many steps as it has characters', () => {
    const many = z.templateLiteral([z.string(), '-', z.string(), '-', z.string(), '-', z.string(), 'x'])
    expect(many.safeParse('-'.repeat(20_000)).success).toBe(false)
    const asked = z.templateLiteral([z.string(), z.string().min(1), z.string().min(1), 'x'])
    expect(asked.safeParse('-'.repeat(20_000)).success).toBe(false)
  })

  test('a text with checks at the end of a template is asked about all of a long value', () => {
    const id = z.templateLiteral(['id-', z.string().regex(/^\w+$/)])
    expect(id.safeParse(`id-${'a'.repeat(1_000_000)}`).success).toBe(true)
    expect(id.safeParse(`id-${'a'.repeat(1_000_000)}!`).success).toBe(false)
  })

  test('issues are pushed in transform and in codecs', async () => {
    const json = z.codec(z.string(), z.json(), {
      decode: (text, { issues }) => {
        if (text === '{') issues.push({ code: 'custom', message: 'No JSON', input: text })
        return text
      },
      encode: (value) => JSON.stringify(value),
    })
    for (const { error } of [json.safeParse('{'), await json.safeParseAsync('{')])
      expect(error?.issues).toMatchObject([{ code: 'custom', message: 'No JSON', path: [] }])
    expect(json.parse('x')).toBe('x')
  })

  test('check is given the value, and pushes issues; promises are awaited', async () => {
    const pair = z.object({ a: z.string(), b: z.string() }).check(({ value, issues }) => {
      if (value.a !== value.b) issues.push({ code: 'custom', message: 'Not equal', path: ['b'], input: value })
    })
    expect(pair.safeParse({ a: 'x', b: 'y' }).error?.issues).toEqual([
      { code: 'custom', message: 'Not equal', path: ['b'] },
    ])
    expect(pair.parse({ a: 'x', b: 'x' })).toEqual({ a: 'x', b: 'x' })
    const later = z.string().check(async ({ value, issues }) => {
      if (value === 'ada') issues.push({ code: 'custom', message: 'Taken', continue: false })
    })
    expect((await later.safeParseAsync('ada')).error?.issues).toMatchObject([{ message: 'Taken', fatal: true }])
    expect(
      z
        .string()
        .check(z.overwrite((text: string) => text.trim()))
        .parse(' a '),
    ).toBe('a')
  })

  test('check takes the checks of a format', () => {
    const day = z.string().check(z.iso.date()).max(10)
    expect(day.parse('2028-02-29')).toBe('2028-02-29')
    expect(day.safeParse('2026-02-29').error?.issues).toMatchObject([{ validation: 'date' }])
    expect(z.string().check(z.iso.date()).max(3).safeParse('2028-02-29').success).toBe(false)
  })

  test('check refuses what is no function', () => {
    expect(() => z.object({}).check({} as never)).toThrow('z: check: expected a function, got object')
  })

  test('globalRegistry knows what was registered, and what meta was given', () => {
    const named = z.string().register(z.globalRegistry, { title: 'Name' })
    expect(z.globalRegistry.get(named)).toEqual({ title: 'Name' })
    expect(z.globalRegistry.get(z.string().meta({ title: 'Other' }))).toEqual({ title: 'Other' })
    expect(z.globalRegistry.remove(named).has(named)).toBe(false)
  })
})

describe('P28: what zod 4 writes and zod 3 does not is understood or refused', () => {
  test.each<[string, (z: Z) => unknown, unknown]>([
    ['a string', (z) => z.string({ error: 'Mine' }), 1],
    ['a missing string', (z) => z.string({ error: 'Mine' }), undefined],
    ['a check', (z) => z.string().min(3, { error: 'Mine' }), 'a'],
    ['a check of numbers', (z) => z.number().positive({ error: 'Mine' }), 0],
    ['a format', (z) => z.email({ error: 'Mine' }), 'x'],
    ['a format of a wrong type', (z) => z.email({ error: 'Mine' }), 1],
    ['a versioned format', (z) => z.ipv4({ error: 'Mine' }), 'x'],
    ['an object', (z) => z.object({}, { error: 'Mine' }), 1],
    ['an array', (z) => z.array(z.string(), { error: 'Mine' }), 1],
    ['a literal', (z) => z.literal('a', { error: 'Mine' }), 'b'],
    ['an enum', (z) => z.enum(['a'], { error: 'Mine' }), 'b'],
    ['a union', (z) => z.union([z.string(), z.number()], { error: 'Mine' }), true],
    [
      'a discriminated union',
      (z) => z.discriminatedUnion('a', [z.object({ a: z.literal('b') })], { error: 'Mine' }),
      { a: 'c' },
    ],
    ['a refinement', (z) => z.string().refine(() => false, { error: 'Mine' }), 'a'],
    ['a custom schema', (z) => z.custom(() => false, { error: 'Mine' }), 'a'],
    ['an instance', (z) => z.instanceof(URL, { error: 'Mine' }), 'a'],
  ])('`error` is the message of %s', (_, build, value) => {
    for (const library of [z, zod as never])
      expect((build(library) as z.AnySchema).safeParse(value).error?.issues.map(({ message }) => message)).toEqual([
        'Mine',
      ])
  })

  test('a refinement with `error` keeps its path', () => {
    const { error } = z
      .string()
      .refine(() => false, { error: 'Mine', path: ['a'] })
      .safeParse('x')
    expect(error?.issues).toMatchObject([{ code: 'custom', message: 'Mine', path: ['a'] }])
  })

  test('the message of a check is not that of its schema', () => {
    expect(z.string({ error: 'Mine' }).min(3).safeParse('a').error?.issues[0]?.message).not.toBe('Mine')
    expect(z.string({ error: 'Mine', message: 'Other' }).safeParse(1).error?.issues[0]?.message).toBe('Other')
  })

  test('a list of literals accepts each of them, and its type is theirs', () => {
    const schema = z.literal(['a', 1, true, null, 5n])
    expectTypeOf<z.infer<typeof schema>>().toEqualTypeOf<'a' | 1 | true | null | 5n>()
    for (const value of ['a', 1, true, null, 5n, 'b', 2, false, undefined, 6n, {}]) {
      const { success } = schema.safeParse(value)
      expect({ value, ...both((lib) => lib.literal(['a', 1, true, null, 5n] as never), value) }).toEqual({
        value,
        ours: success,
        theirs: success,
      })
    }
    expect(z.literal(['a', 'b']).safeParse('c').error?.issues).toEqual(z.enum(['a', 'b']).safeParse('c').error?.issues)
    expect(z.literal(['a', 1]).optional().parse(undefined)).toBeUndefined()
    expect(z.toJSONSchema(z.literal(['a', 1]))).toMatchObject({ enum: ['a', 1] })
    const tagged = z.discriminatedUnion('type', [z.object({ type: z.literal(['a', 'b']) })])
    expect({
      literal: tagged.safeParse({ type: 'b' }).success,
      other: tagged.safeParse({ type: 'c' }).success,
    }).toEqual({ literal: true, other: false })
  })

  test.each<[string, () => unknown, string]>([
    ['an object as a literal', () => z.literal({} as never), 'literal: value: expected a value or a list of values'],
    [
      'an enum of an object',
      () => z.enum({ A: 'a' } as never),
      'enum: values: expected a list of strings; for an object, use nativeEnum',
    ],
    ['an enum of a string', () => z.enum('ab' as never), 'enum: values: expected a list'],
  ])('%s is refused when made', (_, make, message) => {
    expect(make).toThrow(TypeError)
    expect(make).toThrow(message)
  })
})

describe('P28: functions of zod 4 in the place of methods do what they do in zod 4', () => {
  const sample = [undefined, null, '', 'a', 'abc', 5, { a: 'x' }]
  test.each<[string, (z: Z) => unknown]>([
    ['nullish', (z) => z.nullish(z.string())],
    ['keyof', (z) => z.keyof(z.object({ a: z.string(), abc: z.number() }))],
    [
      'transform and pipe',
      (z) =>
        z.pipe(
          z.transform((value: unknown) => String(value)),
          z.string().max(2),
        ),
    ],
    ['pipe', (z) => z.pipe(z.string(), z.enum(['a']))],
  ])('%s', (_, build) => {
    for (const value of sample) expect({ value, ...both(build, value) }).toSatisfy(isSame)
  })

  test('their outputs and types', () => {
    expect(z.transform((value: unknown) => String(value)).parse(5)).toBe('5')
    expect(z.keyof(z.object({ a: z.string() }).strict()).options).toEqual(['a'])
    expectTypeOf(z.nullish(z.string()).parse(null)).toEqualTypeOf<string | null | undefined>()
    expectTypeOf(z.keyof(z.object({ a: z.string(), b: z.string() })).parse('a')).toEqualTypeOf<'a' | 'b'>()
    const length = z.pipe(
      z.string(),
      z.transform((text: string) => text.length),
    )
    expectTypeOf(length.parse('abc')).toEqualTypeOf<number>()
    expect(length.parse('abc')).toBe(3)
    const result: z.ZodSafeParseResult<number, string> = length.safeParse('')
    expect(result.data).toBe(0)
  })

  test('a literal of nothing and an enum of nothing accept nothing, in JSON Schema too', () => {
    expect(z.toJSONSchema(z.literal([]))).toMatchObject({ not: {} })
    expect(z.toJSONSchema(z.enum([]))).toMatchObject({ not: {} })
    expect(z.toJSONSchema(z.enum([]))).not.toHaveProperty('enum')
  })
})

describe('tuple with a schema of further items, as zod 4 writes it', () => {
  const schema = z.tuple([z.string()], z.number(), { required_error: 'Say which' })

  test.each([
    [['a'], true],
    [['a', 1, 2], true],
    [['a', 1, 'b'], false],
    [[], false],
  ])('%j: %s', (input, fits) => {
    expect(schema.safeParse(input).success).toBe(fits)
  })

  test('its type has them, and its messages are the third argument', () => {
    expectTypeOf<z.infer<typeof schema>>().toEqualTypeOf<[string, ...number[]]>()
    expect(schema.safeParse(undefined).error?.issues[0]?.message).toBe('Say which')
  })

  test('zod 3: the second argument is the messages, and there are no further items', () => {
    const closed = z.tuple([z.string()], { required_error: 'Say which' })
    expectTypeOf<z.infer<typeof closed>>().toEqualTypeOf<[string]>()
    expect(closed.safeParse(['a', 1]).success).toBe(false)
    expect(closed.safeParse(undefined).error?.issues[0]?.message).toBe('Say which')
  })
})
