import fc from 'fast-check'
import { checkSync } from 'recheck'
import { expect, test } from 'vitest'
import { isLinear } from '../../generators/from/is-linear.ts'
import { runs } from '../fuzz.ts'

test.each([
  ['nothing', '', true],
  ['a word, anywhere', 'abc', true],
  ['a loop behind ^', '^[a-z]+$', true],
  ['a loop that is tried again from every character', '[a-z]+x', false],
  ['a loop in a loop', '^(a+)+$', false],
  ['a loop in a loop, told apart by the first character', '^[a-z]+(?:-[a-z]+)*$', false],
  ['two loops over the same characters', '^a*a*$', false],
  ['two loops over others', '^a*b*$', true],
  ['two options that are the same', '^(?:a|a)*$', false],
  ['a counted part', '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$', false],
  ['many that may be empty', '^(?:a?){50}b', false],
  ['few ways without a loop', '(?:a|ab|abc){2}', false],
  ['many ways without a loop', '(?:a|ab|abc){5}', false],
  ['a thousand characters, anywhere', 'a{1,1000}b', false],
  ['words', '^(?:yes|y|on)$', false],
  ['an option without ^', '^a|b+', false],
  ['a class and its opposite', '^[^@]+@[^@]+$', true],
  ['escapes of every form', '^\\x41\\u0042\\u{43}\\cA\\t\\0\\d+\\D*$', false],
  ['\\w and \\W', '^(?:\\w+\\W)*$', false],
  ['\\s and \\S', '^\\s*\\S+\\s*$', true],
  ['properties of Unicode, whose characters are not known', '^\\p{L}+\\p{N}+$', false],
  ['one property of Unicode', '^\\p{L}+$', true],
  ['a property in a class', '^[^\\p{L}]+[\\p{L}_]$', false],
  ['the dot and the end of a line', '^.*\\n$', true],
  ['half of a character', '^\\uD83D\\uDE00+$', false],
  ['looking ahead', '^(?=a)a$', false],
  ['a reference back', '^(a)\\1$', false],
  ['a reference to a name', '^(?<a>a)\\k<a>$', false],
  ['a group with a name', '^(?<a>a)+$', false],
  ['the end of a word', '^\\w+\\b,$', false],
  ['a backspace', '^[\\b]+$', false],
  ['too many groups', `${'(?:'.repeat(60)}a${')'.repeat(60)}`, false],
  ['too many characters', 'a'.repeat(2001), false],
  ['a lazy loop', '^a*?b$', false],
  ['a part that is never there', '^(?:a+){0}b$', false],
  ['at least three', '^a{3,}b$', true],
  ['counted parts', '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{12}$', true],
  ['alternatives that repeat nothing', 'yes|no', true],
  ['counted loops that share characters', '^a{1,9}[ab]{1,9}$', false],
  ['a loop over what comes after it, once', '^.*abc$', true],
  ['what must be there, 200 times', '^a{200}$', true],
  ['what must be there, 201 times', '^a{201}$', false],
])('OA10: %s: %s is proved to be linear: %s', (_, pattern, proved) => {
  expect(() => new RegExp(pattern, 'u')).not.toThrow()
  expect(isLinear(pattern)).toBe(proved)
})

test.each(['(?:(?:a{999}){999}){999}', '^(?:a|b){0,1000000000}$', '(?:^){1000000000}', '^(?:(?:a{0,99}){0,99}){99}$'])(
  'OA10: a pattern that writes itself out at length is refused at once: %s',
  (pattern) => expect(isLinear(pattern)).toBe(false),
)

const tree = fc.letrec<{ any: string }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constantFrom('a', 'b', 'c', '[ab]', '[^a]', '\\d', '\\w', '.', '-'),
    fc
      .tuple(
        fc.constantFrom('a', 'b', '[ab]', '[^a]', '\\d', '\\w', '.'),
        fc.constantFrom('*', '+', '?', '{2}', '{1,3}'),
      )
      .map((parts) => parts.join('')),
    fc.array(tie('any'), { minLength: 1, maxLength: 6 }).map((parts) => parts.join('')),
    fc.array(tie('any'), { minLength: 2, maxLength: 3 }).map((options) => `(?:${options.join('|')})`),
    fc
      .tuple(tie('any'), fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '{2,}'))
      .map(([one, many]) => `(?:${one})${many}`),
  ),
})).any

test.each([
  ['many ways at each character', `${'(?:a|b|ab)'.repeat(4)}c`],
  [
    'a thousand characters that all follow each other',
    `^(?:${Array.from({ length: 600 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join('|')})*$`,
  ],
  ['ways times characters', `${'[a-z]'.repeat(48)}(?:${Array.from({ length: 20 }, (_, at) => `x${at}`).join('|')})`],
])('OA10: a pattern is not proved to be linear: %s', (_, pattern) => {
  expect(isLinear(pattern)).toBe(false)
})

test('OA10: what is proved to be linear, recheck calls safe, over random patterns', () => {
  const pattern = fc.tuple(fc.constantFrom('^', ''), tree, fc.constantFrom('$', '')).map((parts) => parts.join(''))
  let proved = 0
  fc.assert(
    fc.property(pattern, (source) => {
      if (!isLinear(source)) return
      proved++
      const { status } = checkSync(source, 'u', { timeout: 20_000 })
      // `unknown` is its answer where the pattern is too long for it
      expect({ source, status }).not.toEqual({ source, status: 'vulnerable' })
    }),
    { numRuns: runs(5000) },
  )
  expect(proved).toBeGreaterThan(runs(5000) / 10)
}, 600_000)
