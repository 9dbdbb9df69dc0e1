import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { number as smallNumber } from '../../src/z/number.ts'
import * as z from '../../src/zod3.ts'
import { runs } from '../fuzz.ts'

/** A number as whole digits, by a power of ten that is the same for all. */
const exact = (value: number): bigint => {
  const [, sign, whole, fraction = '', power = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(`${value}`)!
  return BigInt(`${sign}${whole}${fraction}`) * 10n ** BigInt(Number(power) - fraction.length + 400)
}

const fits = (value: number, step: number): boolean => z.number().multipleOf(step).safeParse(value).success

describe('issue 11: a step that has no multiples is refused when the schema is made', () => {
  test.each([
    ['sluice/zod3', (step: number) => z.number().multipleOf(step)],
    ['step of sluice/zod3', (step: number) => z.number().step(step)],
    ['sluice/z', (step: number) => smallNumber().multipleOf(step)],
  ])('%s', (_, make) => {
    for (const step of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])
      expect(() => make(step)).toThrow(new TypeError(`z: multipleOf: expected a finite number, got ${step}`))
  })
})

describe('issue 11: multipleOf counts in decimals, as they are written', () => {
  test.each<[value: number, step: number, fits: boolean]>([
    [1e-9, 1e-7, false],
    [1e-9, 0.01, false],
    [1.5e-7, 1e-7, false],
    [3e-7, 1e-7, true],
    [1e-9, 1e-10, true],
    [0, 0.01, true],
    [-0, 5, true],
    [0.3, 0.1, true],
    [0.1 + 0.2, 0.1, false],
    [2.03, 0.07, true],
    [2.04, 0.07, false],
    [-15, 5, true],
    [15, -5, true],
    [-7.5, -5, false],
    [90071992547409.91, 0.01, true],
    [1e21, 10, true],
    [1e23, 3, false],
    [1e308, 1e-308, true],
    [5e-324, 5e-324, true],
    [5e-324, 1e-300, false],
    [250, 100, false],
    [5, 0, false],
    [0, 0, false],
    [Number.POSITIVE_INFINITY, 1, false],
  ])('%d is a multiple of %d: %s', (value, step, expected) => {
    expect(fits(value, step)).toBe(expected)
    expect(smallNumber().multipleOf(step).safeParse(value).success).toBe(expected)
    expect(z.number().step(step).safeParse(value).success).toBe(expected)
  })

  test('a step that is no number is refused when made', () => {
    expect(() => z.number().multipleOf(Number.NaN)).toThrow()
    expect(() => z.number().multipleOf(Number.POSITIVE_INFINITY)).toThrow()
  })

  test('any two numbers: as exact arithmetic with their digits says', () => {
    const any = fc.double({ noNaN: true, noDefaultInfinity: true })
    const short = fc
      .tuple(fc.integer({ min: -9999, max: 9999 }), fc.integer({ min: -12, max: 12 }))
      .map(([digits, power]) => Number(`${digits}e${power}`))
    const step = fc.oneof(short, any).filter((value) => value !== 0)
    fc.assert(
      fc.property(fc.oneof(short, any), step, (value, by) => {
        expect({ value, by, fits: fits(value, by) }).toEqual({ value, by, fits: exact(value) % exact(by) === 0n })
      }),
      { numRuns: runs(30_000) },
    )
  })

  test('a short step times a whole number is one of its multiples, and not with half of a step more', () => {
    const digits = fc.integer({ min: 1, max: 999 })
    fc.assert(
      fc.property(
        digits,
        fc.integer({ min: -20, max: 20 }),
        fc.integer({ min: -99_999, max: 99_999 }),
        (d, power, by) => {
          const step = Number(`${d}e${power}`)
          expect(fits(Number(`${d * by}e${power}`), step)).toBe(true)
          expect(fits(Number(`${d * by * 10 + d * 5}e${power - 1}`), step)).toBe(false)
        },
      ),
      { numRuns: runs(20_000) },
    )
  })
})
