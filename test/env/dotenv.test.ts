import dotenv from 'dotenv'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseDotenv } from '../../src/env/dotenv.ts'
import { runs } from '../fuzz.ts'
import { expectLinear } from '../growth.ts'

const parse = (text: string): Record<string, string> =>
  Object.fromEntries(parseDotenv(text).map(({ name, value }) => [name, value]))

describe('N2: the grammar of .env files', () => {
  test.each<[string, string, Record<string, string>]>([
    ['a plain value', 'A=1', { A: '1' }],
    ['spaces around', '  A = 1  ', { A: '1' }],
    ['an empty value', 'A=\nB=', { A: '', B: '' }],
    ['export', 'export A=1\nexport   B=2', { A: '1', B: '2' }],
    ['a variable named export', 'export=1', { export: '1' }],
    ['single quotes, taken as they stand', "A='x\\ny # z'", { A: 'x\\ny # z' }],
    ['double quotes with escapes', 'A="x\\ny\\rz"', { A: 'x\ny\rz' }],
    ['backtick quotes', 'A=`it\'s "so"\\n`', { A: 'it\'s "so"\\n' }],
    ['no escapes without quotes', 'A=x\\ny', { A: 'x\\ny' }],
    ['several lines in each quote', 'A="1\n2"\nB=\'3\n4\'\nC=`5\n\n6`', { A: '1\n2', B: '3\n4', C: '5\n\n6' }],
    ['a comment after a plain value', 'A=1 # one', { A: '1' }],
    ['a comment right behind a plain value', 'A=1#one', { A: '1' }],
    ['a comment after a quoted value', 'A="1 # 2" # three', { A: '1 # 2' }],
    ['comment lines', '# A=1\n  # B=2\nC=3', { C: '3' }],
    ['CRLF and lone CR', 'A=1\r\nB=2\rC="3\r\n4"', { A: '1', B: '2', C: '3\n4' }],
    ['a byte order mark', '\uFEFFA=1', { A: '1' }],
    ['a colon and a space', 'A: 1', { A: '1' }],
    ['a colon without a space is no assignment', 'A:1', {}],
    ['equals signs in the value', 'A=b=c==', { A: 'b=c==' }],
    ['names with dots and dashes', 'a.b-c=1', { 'a.b-c': '1' }],
    ['escaped quotes inside', 'A="say \\"hi\\""', { A: 'say \\"hi\\"' }],
    ['a quote that is never closed', 'A="x\nB=2', { A: '"x', B: '2' }],
    ['quotes in the middle', 'A=x"y"z', { A: 'x"y"z' }],
    ['two quoted words', "A='x' 'y'", { A: "x' 'y" }],
    ['a lone quote', "A='", { A: "'" }],
    ['lines that are no assignment', 'hello\nA\n=1x\nfoo bar=1\nB=2', { A: '1x', B: '2' }],
    ['the last of one name wins', 'A=1\nA=2', { A: '2' }],
    ['nothing', '', {}],
    ['blank lines', '\n\n  \n', {}],
  ])('%s', (_, text, expected) => {
    expect(parse(text)).toEqual(expected)
    expect(dotenv.parse(text.replace(/^\uFEFF/, ''))).toEqual(expected)
  })

  test('names such as __proto__ are names', () => {
    expect(parseDotenv('__proto__=1\nconstructor=2').map(({ name }) => name)).toEqual(['__proto__', 'constructor'])
  })

  const line = fc.oneof(
    fc
      .tuple(
        fc.constantFrom('', ' ', 'export ', '\t'),
        fc.constantFrom('A', 'B_1', 'c.d', 'export'),
        fc.constantFrom('=', ' = ', ': ', ':', ' =', '=\n', ' '),
        fc.oneof(
          fc.string({ unit: fc.constantFrom('a', ' ', '#', '\\', 'n', "'", '"', '`', '=', '$'), maxLength: 8 }),
          fc
            .tuple(
              fc.constantFrom("'", '"', '`'),
              fc.string({ unit: fc.constantFrom('x', '\n', '#', '\\', 'n', "'", '"', ' '), maxLength: 8 }),
            )
            .map(([q, s]) => q + s + q),
        ),
        fc.constantFrom('', ' ', ' # note', '#', " '", '\t\f'),
      )
      .map((parts) => parts.join('')),
    fc.string({
      unit: fc.constantFrom('A', '=', ' ', '#', "'", '"', '`', '\\', '\n', '\r', ':', 'export ', '\t', 'é'),
      maxLength: 24,
    }),
  )

  test('the same as the npm package dotenv, on random files', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), fc.constantFrom('\n', '\r\n'), (lines, end) => {
        const text = lines.join(end)
        expect(parse(text)).toEqual(dotenv.parse(text))
      }),
      { numRuns: runs(20_000) },
    )
  })

  test.each([
    ['open quotes', '', 'A="\\"\n'],
    ['names without a value', '', 'A'],
    ['blank lines', 'A=', '\n', 'B'],
    ['spaces', 'export', ' '],
    ['escaped quotes', 'A="', '\\"x'],
    ['escaped quotes with comments', 'A="', '\\"#'],
    ['escaped quotes with spaces between', 'A="', '\\" '],
  ])('100 kB of %s take linear time', (_, head, unit, tail = '') =>
    expectLinear(100_000, (size) => head + unit.repeat(size / unit.length) + tail, parseDotenv),
  )
})
