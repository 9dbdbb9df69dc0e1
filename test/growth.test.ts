import { describe, expect, test } from 'vitest'
import { expectLinear } from './growth.ts'

const letters = (size: number): string => 'a'.repeat(size)
const count = (times: number): number => {
  let sum = 0
  for (let n = 0; n < times; n++) sum += n % 7
  return sum
}

describe('P5: expectLinear, which the tests use in place of a clock', () => {
  test.each<[string, (text: string) => unknown]>([
    ['nothing', () => undefined],
    ['a little for each character', (text) => count(text.length)],
    ['a lot for each character', (text) => count(text.length * 500)],
    ['a constant amount', () => count(1_000_000)],
  ])('accepts work that does %s', (_, work) => expectLinear(64_000, letters, work))

  test.each<[string, (text: string) => unknown]>([
    ['all characters for each character', (text) => count(text.length ** 2 / 8)],
    ['a pattern that backtracks', (text) => /a*a*b/.test(text.slice(0, text.length / 40))],
  ])('refuses work that does %s', async (_, work) => {
    await expect(expectLinear(32_000, letters, work)).rejects.toThrow('8 times the input took')
  })
})
