import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseAccept } from '../../src/internal/header/accept.ts'
import { runs } from '../fuzz.ts'
import { expectLinear } from '../growth.ts'

const read = (header: string): string =>
  parseAccept(header)
    .map(({ value, q }) => `${value}:${q}`)
    .join(' ')

describe('parseAccept', () => {
  test.each([
    ['one coding', 'gzip', 'gzip:1'],
    ['the order is kept between equals', 'gzip, deflate, br', 'gzip:1 deflate:1 br:1'],
    ['the most wanted comes first', 'gzip;q=0.5, br;q=0.9, zstd', 'zstd:1 br:0.9 gzip:0.5'],
    ['a weight of nothing stays, to refuse', 'gzip;q=0', 'gzip:0'],
    ['upper case', 'GZIP;Q=0.5', 'gzip:0.5'],
    ['white space everywhere the grammar has it', ' gzip ; q=0.5 ,\tbr', 'br:1 gzip:0.5'],
    ['stars', '*/*;q=0.1, text/*, *', 'text/*:1 *:1 */*:0.1'],
    ['weights without a leading nought', 'gzip;q=.2', 'gzip:0.2'],
    ['three digits', 'gzip;q=0.001', 'gzip:0.001'],
    ['a weight past one is left out', 'gzip;q=1.5, br', 'br:1'],
    ['a negative weight is left out', 'gzip;q=-1, br', 'br:1'],
    ['a weight that is no number is left out', 'gzip;q=high, br', 'br:1'],
    ['an empty weight is invalid, so the coding is refused', 'gzip;q=, br', 'br:1 gzip:0'],
    ['a weight of Infinity is left out', 'gzip;q=Infinity, br', 'br:1'],
    ['empty members', ',, ,gzip,,', 'gzip:1'],
    ['a broken member does not spoil the others', 'a b, gzip', 'a b:1 gzip:1'],
    ['a weight within quotes', 'gzip;q="0.5"', 'gzip:0.5'],
    ['nothing', '', ''],
  ])('%s', (_, header, expected) => {
    expect(read(header)).toBe(expected)
  })

  test('NA2: the first 100 members count, and the rest is ignored', () => {
    const members = (length: number) => `${'gzip,'.repeat(length - 1)}br`
    expect({ hundred: read(members(100)).endsWith(' br:1'), more: read(members(101)).includes('br') }).toEqual({
      hundred: true,
      more: false,
    })
  })

  test('parameters come along', () => {
    expect(parseAccept('application/vnd.api+json; version="2"; q=0.5')[0]!.params.version).toBe('2')
  })

  test('any list that is written is read back, sorted by weight and stable', () => {
    const member = fc.tuple(
      fc.stringMatching(/^[a-z]{1,8}$/),
      fc.integer({ min: 0, max: 1000 }).map((q) => q / 1000),
    )
    fc.assert(
      fc.property(fc.array(member, { maxLength: 20 }), (members) => {
        const expected = [...members].sort((one, other) => other[1] - one[1]).map(([value, q]) => `${value}:${q}`)
        expect(read(members.map(([value, q]) => `${value};q=${q}`).join(', '))).toBe(expected.join(' '))
      }),
    )
  })

  test('no text at all makes it throw or give a weight out of bounds', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('a', ',', ';', '"', '\\', '=', 'q', '0', '.', ' ', '/', '*', '\0', 'é'),
          maxLength: 60,
        }),
        (text) => {
          for (const { q } of parseAccept(text)) expect(q >= 0 && q <= 1).toBe(true)
        },
      ),
      { numRuns: runs(5000) },
    )
  })

  test.each([
    ['members', 'a,'],
    ['weights', 'gzip;q=0.5,'],
    ['commas', ','],
    ['quotes', '"'],
    ['escapes within a quote', '\\"'],
    ['semicolons', ';'],
    ['spaces', ' '],
  ])('60 kB of %s are read in linear time', async (_, unit) => {
    await expectLinear(60_000, (size) => unit.repeat(size / unit.length), parseAccept)
    await expectLinear(60_000, (size) => `"${unit.repeat(size / unit.length)}\\`, parseAccept)
  })
})
