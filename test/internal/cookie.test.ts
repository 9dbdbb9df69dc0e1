import { parse } from 'cookie'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { getCookies } from '../../src/cookie.ts'
import { readCookie } from '../../src/internal/cookie/cookie-line.ts'
import { runs } from '../fuzz.ts'
import { expectLinear } from '../growth.ts'

const ctxOf = (cookie: string) => ({ header: () => cookie })

/** Headers that look like cookies, and headers that look like nothing. */
const header = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc
    .array(
      fc
        .tuple(
          fc.constantFrom('a', 'b', ' a', '\ta ', 'session', '__proto__', 'constructor', '', '\u00a0a'),
          fc.constantFrom('=', '', ' = ', '=='),
          fc.oneof(
            fc.constantFrom('1', '%41', '%E0%A4%A', '%', '"x"', ' ', '\t1 ', 'a=b', '%u1234'),
            fc.string({ maxLength: 6 }),
          ),
        )
        .map((parts) => parts.join('')),
      { maxLength: 6 },
    )
    .map((pairs) => pairs.join(';')),
)

test('random headers: no crash, and the same cookies as the package cookie reads, except an empty name', () => {
  fc.assert(
    fc.property(header, (text) => {
      const { '': _, ...theirs } = { ...parse(text) }
      const ours = getCookies(ctxOf(text))
      expect(Object.entries(ours).sort()).toEqual(Object.entries(theirs).sort())
      for (const [name, value] of Object.entries(ours)) expect(readCookie(text, name)).toBe(value)
    }),
    { numRuns: runs(200_000) },
  )
}, 120_000)

test.each([
  ['semicolons', '', ';', ''],
  ['blanks', 'a', ' ', '=1'],
  ['percent signs', 'a=', '%', ''],
  ['pairs', '', 'b=1;', ''],
])('60 kB of %s are read in linear time', async (_, head, unit, tail) => {
  const make = (size: number): string => head + unit.repeat(size / unit.length) + tail
  await expectLinear(60_000, make, (text) => readCookie(text, 'a'))
  await expectLinear(60_000, make, (text) => getCookies(ctxOf(text)))
})
