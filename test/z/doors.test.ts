import { z as fromRoot } from 'sluice'
import * as fromZ from 'sluice/z'
import { de } from 'sluice/z/locales/de'
import { object } from 'sluice/z/object'
import { string } from 'sluice/z/string'
import { expect, test } from 'vitest'

test('the namespace, the root and the subpaths give the same schemas', () => {
  expect(fromRoot.string).toBe(string)
  expect(fromZ.object).toBe(object)
  expect(Object.keys(fromRoot).sort()).toEqual(Object.keys(fromZ).sort())
  expect(object({ a: string() }).parse({ a: 'x' })).toEqual({ a: 'x' })
  expect(string().safeParse(1, { errorMap: de }).error?.issues[0]?.message).toBe('Text erwartet, Zahl erhalten')
})

test('names that are reserved words are export names', () => {
  expect(Object.keys(fromZ)).toEqual(expect.arrayContaining(['enum', 'null', 'undefined', 'void', 'instanceof']))
})

test.each<[string, () => unknown, string]>([
  [
    'a discriminated union without a value',
    () => fromZ.discriminatedUnion('t', [object({ t: string() })]),
    'an option does not say its value of "t"',
  ],
  [
    'a discriminated union with a value twice',
    () => fromZ.discriminatedUnion('t', [object({ t: fromZ.literal('a') }), object({ t: fromZ.literal('a') })]),
    '"t" has the value a in two options',
  ],
])('bad options are refused when made: %s', (_, make, message) => {
  expect(make).toThrow(TypeError)
  expect(make).toThrow(message)
})
