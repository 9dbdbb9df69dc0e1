import { describe, expect, test } from 'vitest'
import * as formats from '../../src/z/formats.ts'
import * as iso from '../../src/z/iso.ts'
import { de } from '../../src/z/locales/de.ts'
import { toJsonSchema } from '../../src/z/to-json-schema.ts'
import * as z from '../../src/z.ts'
import * as zod3 from '../../src/zod3.ts'

const keyed = z.object({ a: z.string(), b: z.number(), c: z.boolean() })
const bad = (length: number): number[] => Array.from({ length }, (_, index) => index)

describe('V13: pick, omit and partial take the keys that are true', () => {
  test.each<[string, z.AnySchema, string[], string[]]>([
    ['pick', keyed.pick({ a: true }), ['a'], ['a']],
    ['pick of a key that is false', keyed.pick({ a: true, b: false as never }), ['a'], ['a']],
    ['pick of an unknown key', keyed.pick({ a: true, toString: true } as never), ['a'], ['a']],
    ['omit', keyed.omit({ a: true }), ['b', 'c'], ['b', 'c']],
    ['omit of a key that is false', keyed.omit({ a: true, b: false as never }), ['b', 'c'], ['b', 'c']],
    ['partial', keyed.partial(), ['a', 'b', 'c'], []],
    ['partial of one', keyed.partial({ a: true }), ['a', 'b', 'c'], ['b', 'c']],
    ['partial of a key that is false', keyed.partial({ a: true, b: false as never }), ['a', 'b', 'c'], ['b', 'c']],
  ])('%s', (_, schema, keys, required) => {
    const { properties = {}, required: asked = [] } = toJsonSchema(schema)
    expect({ keys: Object.keys(properties as object), required: asked }).toEqual({ keys, required })
  })
})

test.each<[string, z.AnySchema, unknown]>([
  ['an array', z.array(z.string()), bad(1500)],
  ['a set', z.set(z.string()), new Set(bad(1500))],
  ['a map', z.map(z.number(), z.string()), new Map(bad(1500).map((key) => [key, key]))],
  ['a record', z.record(z.string()), Object.fromEntries(bad(1500).map((key) => [`k${key}`, key]))],
  ['further keys', z.catchall(z.object({}), z.string()), Object.fromEntries(bad(1500).map((key) => [`k${key}`, key]))],
  ['the rest of a tuple', z.tuple([]).rest(z.string()), bad(1500)],
])('L8: %s stops at a thousand issues', (_, schema, value) => {
  expect(schema.safeParse(value).error?.issues).toHaveLength(1000)
})

test.each<[string, unknown, string]>([
  ['a text', 'a', 'Invalid literal value, expected "a"'],
  ['a number', 5, 'Invalid literal value, expected 5'],
  ['a bigint', 5n, 'Invalid literal value, expected "5"'],
  ['null', null, 'Invalid literal value, expected null'],
])('V12: the message of a literal names %s', (_, value, message) => {
  expect(z.literal(value as never).safeParse('other').error?.issues).toMatchObject([{ message }])
})

test.each([
  [{ low: 0, high: 1, 0: 'low', 1: 'high' }, [0, 1], ['low', 'high', 2]],
  [{ a: 'A', b: 'B' }, ['A', 'B'], ['a', 'b', 0]],
  [{ a: 'A', one: 1, 1: 'one' }, ['A', 1], ['one', 'a']],
])('V12: the enum of TypeScript %j has the values %j', (values, fine, others) => {
  const schema = z.nativeEnum(values as never)
  for (const value of fine) expect(schema.safeParse(value)).toMatchObject({ success: true, data: value })
  for (const value of others)
    expect(schema.safeParse(value).error?.issues).toMatchObject([{ code: 'invalid_enum_value', options: fine }])
})

test.each<[string, z.AnySchema, string[], string[]]>([
  [
    'base64url',
    z.string().check(formats.base64url()),
    ['', 'ab', 'abc', 'abcd', 'ab==', 'abc=', 'abcdab', 'a-_1', '-_-_-_'],
    ['a', 'abcde', 'a+cd', 'ab+d', 'abc+', '+bcd', 'ab=', 'abcd=', 'ab==ab', 'abc==', 'abcd '],
  ],
  [
    'base64',
    z.string().check(formats.base64()),
    ['', 'abcd', 'ABCD', 'ab==', 'abc=', 'abcdab==', 'a+/1'],
    ['a', 'ab', 'abc', 'abcde', 'a-cd', 'ab_d', 'abc-', '_bcd', 'ab=', 'abc==', 'abcd '],
  ],
  ['emoji', z.string().check(formats.emoji()), ['😀', '👩‍💻', '❤️'], ['a', '😀a', 'a😀', ' ', '']],
  ['a time', iso.time(), ['12:30:00', '12:30:00.5', '23:59:59'], ['24:00:00', '12:60:00', '12:30:00Z', 'x']],
  ['a time of seconds', iso.time({ precision: 0 }), ['12:30:00'], ['12:30', '12:30:00.5']],
  [
    'a date and time',
    iso.datetime(),
    ['2026-01-01T12:30:00Z', '2026-01-01T12:30:00.5Z'],
    ['2026-01-01T12:30Z', '2026-01-01T12:30:00', '2026-01-01T12:30:00+01:00', '2026-02-30T12:30:00Z'],
  ],
  [
    'a date and time in any zone',
    iso.datetime({ offset: true }),
    ['2026-01-01T12:30:00+01:00', '2026-01-01T12:30:00-23:59'],
    ['2026-01-01T12:30:00+24:00', '2026-01-01T12:30:00+01:60', '2026-01-01T12:30+01:00'],
  ],
  [
    'a local date and time',
    iso.datetime({ local: true }),
    ['2026-01-01T12:30:00', '2026-01-01T12:30', '2026-01-01T12:30:00Z'],
    ['2026-01-01', '2026-01-01T12'],
  ],
])('V14: %s', (_, schema, fine, others) => {
  expect({
    refused: fine.filter((text) => !schema.safeParse(text).success),
    accepted: others.filter((text) => schema.safeParse(text).success),
  }).toEqual({ refused: [], accepted: [] })
})

test.each([
  [3n, 9n, true],
  [3n, 10n, false],
  [3n, 0n, true],
  [3n, -9n, true],
  [0n, 0n, false],
])('V10: a multiple of %d: %d, %s', (step, value, isMultiple) => {
  expect(z.bigint().multipleOf(step).safeParse(value).success).toBe(isMultiple)
})

test('P28: a registry has what was added, also without a note, and what it was told of', () => {
  const known = z.registry<{ title: string }>()
  const [bare, noted, other] = [z.string(), z.string(), z.string()]
  known.add(bare).add(noted, { title: 'x' })
  const state = () => [bare, noted, other].map((schema) => [known.has(schema), known.get(schema)?.title])
  expect(state()).toEqual([
    [true, undefined],
    [true, 'x'],
    [false, undefined],
  ])
  known.remove(noted)
  expect(state()[1]).toEqual([false, undefined])
  known.clear()
  expect(state()[0]).toEqual([false, undefined])
  const described = zod3.string().meta({ title: 'y' })
  expect({ has: z.globalRegistry.has(described), title: z.globalRegistry.get(described)?.title }).toEqual({
    has: true,
    title: 'y',
  })
})

test('a locale quotes texts and no numbers', () => {
  const messages = [z.literal('a'), z.literal(1), z.nativeEnum({ a: 'a', one: 1, 1: 'one' } as never)].map(
    (schema) => schema.safeParse('x', { errorMap: de } as never).error?.issues[0]?.message,
  )
  expect(messages[0]).toContain('"a"')
  expect(messages[1]).toMatch(/ 1\b/)
  expect(messages[2]).toMatch(/"a", 1\b/)
})
