import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openSigned, secretsOf, signValue } from '../../src/internal/crypto/hmac.ts'
import { digest as nodeDigest, hmac as nodeHmac } from '../../src/runtime/platform/node-digest.ts'
import { digest as webDigest, hmac as webHmac } from '../../src/runtime/platform/web-digest.ts'
import { anyText } from '../any-text.ts'
import { runs } from '../fuzz.ts'

test('RFC 4231 §4.3: HMAC-SHA-256 of a known text', async () => {
  const expected = 'W9zBRr9gdU5qBCQmCJV1x1oAPwidJzmDnexYuWTsOEM'
  for (const hmac of [nodeHmac, webHmac]) expect(await hmac('Jefe', 'what do ya want for nothing?')).toBe(expected)
})

test('a signature is valid if one of the secrets made it', async () => {
  const signed = await signValue('cookie\ncart', 'a.b', 'Jefe')
  expect(signed).toBe(`a.b.${await nodeHmac('Jefe', 'cookie\ncart\na.b')}`)
  expect(await openSigned('cookie\ncart', signed, ['other', 'Jefe'])).toBe('a.b')
  expect(await openSigned('cookie\ncart', signed, ['other'])).toBe(undefined)
  expect(await openSigned('cookie\ncart', signed.slice(0, -1), ['Jefe'])).toBe(undefined)
  expect(await openSigned('cookie\nother', signed, ['Jefe'])).toBe(undefined)
  expect(secretsOf('a', 'session')).toEqual(['a'])
})

test('more secrets than are kept still sign', async () => {
  const first = await webHmac('secret 0', 'text')
  for (let index = 0; index < 100; index++) await webHmac(`secret ${index}`, 'text')
  expect(await webHmac('secret 0', 'text')).toBe(first)
})

test('F12: a signature is the same with both, so that a cookie of one runtime is valid on another', async () => {
  const text = anyText({ maxLength: 200 })
  await fc.assert(
    fc.asyncProperty(anyText({ minLength: 1, maxLength: 200 }), text, async (secret, message) => {
      expect(await nodeHmac(secret, message)).toBe(await webHmac(secret, message))
    }),
    { numRuns: runs(30_000) },
  )
  // Half of a surrogate pair has no bytes of its own
  expect(await nodeHmac('a\ud800', '\udc00b')).toBe(await webHmac('a\ud800', '\udc00b'))
})

test('a digest and a signature of bytes are the same with both, short and long', async () => {
  const bytes = fc.oneof(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(65_535, 65_536, 65_537).map(ramp))
  await fc.assert(
    fc.asyncProperty(bytes, fc.uint8Array({ minLength: 1, maxLength: 100 }), async (data, secret) => {
      const [some, key] = [data.slice(), secret.slice()]
      expect(hex(await nodeDigest(some))).toBe(hex(await webDigest(some)))
      expect(await nodeHmac(key, some)).toBe(await webHmac(key, some))
      expect(await nodeHmac(key, some, hex)).toBe(await webHmac(key, some, hex))
    }),
    { numRuns: runs(3_000) },
  )
})

test('FIPS 180-4: SHA-256 of a known text', async () => {
  const text = new TextEncoder().encode('abc')
  for (const digest of [nodeDigest, webDigest]) {
    expect(hex(await digest(text))).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  }
})

const ramp = (length: number): Uint8Array<ArrayBuffer> => Uint8Array.from({ length }, (_, index) => index)

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
