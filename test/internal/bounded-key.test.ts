import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { boundedKey } from '../../src/internal/crypto/bounded-key.ts'

const hash = (text: string): string => `sha256:${createHash('sha256').update(text).digest('base64url')}`

describe('F15: the key of a rate limit is at most 128 characters', () => {
  test.each([
    ['an empty key', ''],
    ['an address', '203.0.113.7'],
    ['an IPv6 network', '2001:db8:1:2::/64'],
    ['128 characters', 'x'.repeat(128)],
    ['128 characters of two code units', '😀'.repeat(64)],
    ['the mark in another place', 'x-sha256:y'],
  ])('%s is returned as it is, without a promise', (_, key) => {
    expect(boundedKey(key)).toBe(key)
  })

  test.each([
    ['129 characters', 'x'.repeat(129)],
    ['65 characters of two code units', '😀'.repeat(65)],
    ['16 kB', 'k'.repeat(16_384)],
    ['text that is not ASCII', 'ü'.repeat(200)],
    ['a text that looks like a hash', hash('x'.repeat(129))],
    ['the mark alone', 'sha256:'],
  ])('%s becomes its SHA-256', async (_, key) => {
    expect(await boundedKey(key)).toBe(hash(key))
    expect(await boundedKey(key)).toHaveLength(50)
  })

  test('the key of a long key cannot be chosen', async () => {
    const victim = 'api-key-'.repeat(100)
    const stored = await boundedKey(victim)
    expect(await boundedKey(stored)).not.toBe(stored)
  })

  test('different keys stay different, and none is longer than 128', async () => {
    const keys = fc.oneof(
      fc.string({ maxLength: 140, unit: 'binary-ascii' }),
      fc.string({ minLength: 120, maxLength: 140 }),
    )
    await fc.assert(
      fc.asyncProperty(keys, keys, async (one, other) => {
        const [a, b] = [await boundedKey(one), await boundedKey(other)]
        expect(a === b).toBe(one === other)
        expect(Math.max(a.length, b.length)).toBeLessThanOrEqual(128)
      }),
      { numRuns: 300 },
    )
  })
})
