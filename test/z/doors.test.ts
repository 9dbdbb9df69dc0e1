import { z as fromRoot } from 'sluice'
import * as fromZ from 'sluice/z'
import { de } from 'sluice/z/locales/de'
import * as zod3 from 'sluice/zod3'
import { expect, test } from 'vitest'
import * as mini from '../../src/z/mini.ts'
import { object } from '../../src/z/object.ts'
import { StringSchema, string } from '../../src/z/string.ts'

/** Functions that stand for methods of `sluice/zod3`, and the checks of its methods. */
const LEAN = new Set(['catchall', 'deepPartial', 'formats', 'meta'])

test('the root and sluice/z give the same namespace; schemas of sluice/zod3 are of the same classes, with more methods', () => {
  expect(fromRoot.string).toBe(fromZ.string)
  expect(Object.keys(fromRoot).sort()).toEqual(Object.keys(fromZ).sort())
  expect(fromZ.string()).toBeInstanceOf(StringSchema)
  expect(zod3.string()).toBeInstanceOf(StringSchema)
  expect(Object.keys(zod3)).toEqual(expect.arrayContaining(Object.keys(fromZ).filter((name) => !LEAN.has(name))))
  expect(object({ a: string() }).parse({ a: 'x' })).toEqual({ a: 'x' })
  expect(fromZ.string().safeParse(1, { errorMap: de }).error?.issues[0]?.message).toBe('Text erwartet, Zahl erhalten')
})

test('schemas of sluice/z, sluice/zod3 and sluice/z/mini hold each other', () => {
  const inner = { a: zod3.string().ip(), b: string().email(), c: mini.string(mini.email()) }
  const value = { a: '::1', b: 'ada@x.io', c: 'ada@x.io' }
  for (const schema of [zod3.object(inner), object(inner), mini.object(inner)]) {
    expect(schema.parse(value)).toEqual(value)
    expect(schema.safeParse({}).error?.issues.map(({ path }) => path[0])).toEqual(['a', 'b', 'c'])
  }
  expect(fromZ.array(mini.object(inner)).or(string()).and(fromZ.any()).parse([value])).toEqual([value])
  expect(zod3.object(inner).partial().deepPartial().keyof().options).toEqual(['a', 'b', 'c'])
})

test('names that are reserved words are export names', () => {
  expect(Object.keys(fromZ)).toEqual(expect.arrayContaining(['enum', 'null', 'undefined', 'void', 'instanceof']))
})

test.each<[string, () => unknown, string]>([
  [
    'a discriminated union without a value',
    () => fromZ.discriminatedUnion('t', [object({ t: string() })]),
    'the value of "t" could not be extracted from an option',
  ],
  [
    'a discriminated union with a value twice',
    () => fromZ.discriminatedUnion('t', [object({ t: fromZ.literal('a') }), object({ t: fromZ.literal('a') })]),
    '"t" has duplicate value a',
  ],
])('bad options are refused when made: %s', (_, make, message) => {
  expect(make).toThrow(TypeError)
  expect(make).toThrow(message)
})
