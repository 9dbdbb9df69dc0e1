import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { maskCsrfToken, unmaskToken } from '../../src/internal/crypto/csrf-token.ts'
import { fromBase64url, toBase64url } from '../../src/internal/crypto/encoding.ts'
import { equal } from '../../src/internal/crypto/equal.ts'
import { randomToken } from '../../src/internal/crypto/token.ts'
import { createRecent } from '../../src/internal/store/recent.ts'

test.each([
  ['', '', true],
  ['a', 'a', true],
  ['a', 'b', false],
  ['a', 'ab', false],
  ['ab', 'a', false],
  ['', 'a', false],
  ['a', '', false],
  ['ä😀', 'ä😀', true],
])('%j and %j are equal: %s', (one, other, expected) => {
  expect(equal(one, other)).toBe(expected)
})

test.each(['x-------------------------------', '-------------------------------x', '--------------------------------'])(
  'GHSA-gq3j-xvxp-8hrf: comparing reads every character, wherever the first difference is: %s',
  (presented) => {
    const charCodeAt = vi.fn((index: number) => presented.charCodeAt(index))
    equal({ length: presented.length, charCodeAt } as unknown as string, '-'.repeat(32))
    expect(charCodeAt).toHaveBeenCalledTimes(32)
  },
)

test.each([1, 16, 31, 32, 33, 64])('a token of %i characters', (length) => {
  expect(randomToken(length)).toMatch(new RegExp(`^[\\w-]{${length}}$`))
})

test('MC3 hazard entropy: all characters of tokens are drawn alike, at every place', () => {
  const TOKENS = 20_000
  const counts = new Map<string, number>()
  for (let index = 0; index < TOKENS; index++) {
    for (const [place, char] of [...randomToken(4)].entries())
      counts.set(place + char, (counts.get(place + char) ?? 0) + 1)
  }
  expect(counts.size).toBe(4 * 64)
  const expected = TOKENS / 64
  const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
  // 252 degrees of freedom: beyond 400 once in ten million runs
  expect(chiSquare).toBeLessThan(400)
})

test('hazard entropy: of 100,000 ids no two are alike', () => {
  expect(new Set(Array.from({ length: 100_000 }, () => randomToken(32))).size).toBe(100_000)
})

test('base64url decodes to the same bytes, and invalid text to undefined', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      const text = toBase64url(bytes)
      expect(text).toBe(Buffer.from(bytes).toString('base64url'))
      expect([...fromBase64url(text)!]).toEqual([...bytes])
    }),
  )
  for (const text of ['a', 'a+b', 'a/b', 'YQ==', 'ä', ' YQ', 'YQ\n']) expect(fromBase64url(text)).toBeUndefined()
})

test('a masked token unmasks to itself, whatever it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'ABCxyz019-_'), maxLength: 70 }), (token) => {
      const masked = maskCsrfToken(token)
      expect(masked).toHaveLength(4 * token.length)
      expect(unmaskToken(masked)).toBe(token)
    }),
  )
})

test('recent values: a model of what has to be kept agrees with what is', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(30), fc.constantFrom('get', 'set', 'delete')), { maxLength: 300 }),
      (steps) => {
        const recent = createRecent<{ number: number; expires: number }>(10, () => 0)
        const all = new Map<string, number>()
        for (const [number, kind] of steps) {
          const key = `${number}`
          if (kind === 'set') recent.set(key, { number, expires: 1000 })
          const known = kind === 'get' ? recent.get(key) : undefined
          if (kind === 'delete') recent.delete(key)
          all.delete(key)
          if (kind === 'set' || known !== undefined) all.set(key, number)
          // what was used last, half of the maximum of them, is there
          for (const [each] of [...all].slice(-1)) expect(recent.get(each)?.number).toBe(Number(each))
        }
        const kept = Array.from({ length: 31 }, (_, number) => recent.get(`${number}`)).filter(
          (value) => value !== undefined,
        )
        expect(kept.length).toBeLessThanOrEqual(10)
      },
    ),
  )
})
