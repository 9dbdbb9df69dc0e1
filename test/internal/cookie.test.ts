import { parse } from 'cookie'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { getCookies } from '../../src/cookie.ts'
import { readCookie } from '../../src/internal/cookie.ts'

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

test('200,000 headers: no crash, and the same cookies as the package cookie reads, save an empty name', () => {
  let runs = 0
  fc.assert(
    fc.property(header, (text) => {
      runs++
      const { '': _, ...theirs } = { ...parse(text) }
      const ours = getCookies(ctxOf(text))
      expect(Object.entries(ours).sort()).toEqual(Object.entries(theirs).sort())
      for (const [name, value] of Object.entries(ours)) expect(readCookie(text, name)).toBe(value)
    }),
    { numRuns: 200_000 },
  )
  expect(runs).toBeGreaterThanOrEqual(200_000)
}, 120_000)

test.each([
  ['60 kB of semicolons', ';'.repeat(60_000)],
  ['60 kB of blanks', `a${' '.repeat(60_000)}=1`],
  ['60 kB of percent signs', `a=${'%'.repeat(60_000)}`],
  ['60 kB of pairs', 'b=1;'.repeat(15_000)],
])('%s are read in linear time', (_, text) => {
  const start = performance.now()
  readCookie(text, 'a')
  getCookies(ctxOf(text))
  expect(performance.now() - start).toBeLessThan(200)
})
