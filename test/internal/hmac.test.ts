import fc from 'fast-check'
import { expect, test } from 'vitest'
import { secretsOf, verify } from '../../src/internal/crypto/hmac.ts'
import { hmac as nodeHmac } from '../../src/runtime/platform/node-hmac.ts'
import { hmac as webHmac } from '../../src/runtime/platform/web-hmac.ts'
import { runs } from '../fuzz.ts'

test('RFC 4231 §4.3: HMAC-SHA-256 of a known text', async () => {
  const expected = 'W9zBRr9gdU5qBCQmCJV1x1oAPwidJzmDnexYuWTsOEM'
  for (const hmac of [nodeHmac, webHmac]) expect(await hmac('Jefe', 'what do ya want for nothing?')).toBe(expected)
})

test('a signature is valid if one of the secrets made it', async () => {
  const text = 'what do ya want for nothing?'
  const signature = await nodeHmac('Jefe', text)
  expect(await verify(['other', 'Jefe'], text, signature)).toBe(true)
  expect(await verify(['other'], text, signature)).toBe(false)
  expect(await verify(['Jefe'], text, signature.slice(1))).toBe(false)
  expect(secretsOf('a', 'session')).toEqual(['a'])
})

test('more secrets than are kept still sign', async () => {
  const first = await webHmac('secret 0', 'text')
  for (let index = 0; index < 100; index++) await webHmac(`secret ${index}`, 'text')
  expect(await webHmac('secret 0', 'text')).toBe(first)
})

test('F12: a signature is the same with both, so that a cookie of one runtime is valid on another', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 200 })
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }), text, async (secret, message) => {
      expect(await nodeHmac(secret, message)).toBe(await webHmac(secret, message))
    }),
    { numRuns: runs(30_000) },
  )
  // Half of a surrogate pair has no bytes of its own
  expect(await nodeHmac('a\ud800', '\udc00b')).toBe(await webHmac('a\ud800', '\udc00b'))
})
