import { scryptSync } from 'node:crypto'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  createOneTimeToken,
  hashOneTimeToken,
  hashPassword,
  needsRehash,
  verifyOneTimeToken,
  verifyPassword,
} from '../src/password.ts'

afterEach(() => vi.restoreAllMocks())

/** Cheap, for tests that are not about the cost. */
const cheap = { logN: 4, r: 8, p: 1 }

/** Base64 without padding, as the PHC string format writes bytes. */
const text = (hex: string): string => Buffer.from(hex, 'hex').toString('base64').replace(/=+$/, '')
const salt = (word: string): string => text(Buffer.from(word).toString('hex'))

describe('hashPassword and verifyPassword', () => {
  // RFC 7914 §12, and the hash that the documentation of passlib shows
  test.each([
    [
      'the second vector of RFC 7914',
      'password',
      `$scrypt$ln=10,r=8,p=16$${salt('NaCl')}$${text('fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640')}`,
    ],
    [
      'the third vector of RFC 7914',
      'pleaseletmein',
      `$scrypt$ln=14,r=8,p=1$${salt('SodiumChloride')}$${text('7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887')}`,
    ],
    [
      'a hash of passlib',
      'password',
      '$scrypt$ln=16,r=8,p=1$aM15713r3Xsvxbi31lqr1Q$nFNh2CVHVjNldFVKDHDlm4CbdRSCdEBsjjJxD+iCs5E',
    ],
  ])('%s is of its password, and of no other', async (_, password, hash) => {
    expect(await verifyPassword(password, hash)).toBe(true)
    expect(await verifyPassword(`${password} `, hash)).toBe(false)
  })

  test('a hash has the cost that OWASP recommends, a salt of its own, and the form that others read', async () => {
    const hash = await hashPassword('a long enough password')
    const [, algorithm, cost, salt = '', key = ''] = hash.split('$')
    expect({ algorithm, cost, length: hash.length }).toEqual({ algorithm: 'scrypt', cost: 'ln=15,r=8,p=3', length: 88 })
    const bytes = scryptSync('a long enough password', Buffer.from(salt, 'base64'), 32, {
      ...{ N: 2 ** 15, r: 8, p: 3 },
      maxmem: 2 ** 26,
    })
    expect(bytes.equals(Buffer.from(key, 'base64'))).toBe(true)
    expect(await hashPassword('a long enough password')).not.toBe(hash)
  })

  test('Unicode forms of a text are one password', async () => {
    const hash = await hashPassword('caf\u00e9', cheap)
    expect(await verifyPassword('cafe\u0301', hash)).toBe(true)
    expect(await verifyPassword('cafe', hash)).toBe(false)
  })

  test('the empty password and one of a thousand characters are passwords', async () => {
    for (const password of ['', 'x'.repeat(1000)]) {
      const hash = await hashPassword(password, cheap)
      expect(await verifyPassword(password, hash)).toBe(true)
      expect(await verifyPassword(`${password}x`, hash)).toBe(false)
    }
  })

  const SALT = 'MDEyMzQ1Njc4OWFiY2RlZg'
  const KEY = 'A'.repeat(43)
  test.each([
    ['nothing', undefined],
    ['null', null],
    ['an empty text', ''],
    ['a password', 'a long enough password'],
    ['another algorithm', `$argon2id$v=19$m=65536,t=3,p=4$${SALT}$${KEY}`],
    ['a cost of zero', `$scrypt$ln=0,r=8,p=1$${SALT}$${KEY}`],
    ['a zero in front', `$scrypt$ln=04,r=8,p=1$${SALT}$${KEY}`],
    ['a negative cost', `$scrypt$ln=-4,r=8,p=1$${SALT}$${KEY}`],
    ['a cost that would take 2 GiB', `$scrypt$ln=21,r=8,p=1$${SALT}$${KEY}`],
    ['a cost of three digits', `$scrypt$ln=100,r=8,p=1$${SALT}$${KEY}`],
    ['parameters in another order', `$scrypt$r=8,ln=4,p=1$${SALT}$${KEY}`],
    ['no salt', `$scrypt$ln=4,r=8,p=1$$${KEY}`],
    ['no key', `$scrypt$ln=4,r=8,p=1$${SALT}$`],
    ['a key of 15 bytes', `$scrypt$ln=4,r=8,p=1$${SALT}$${'A'.repeat(20)}`],
    ['a key of 65 bytes', `$scrypt$ln=4,r=8,p=1$${SALT}$${'A'.repeat(87)}`],
    ['base64 of an impossible length', `$scrypt$ln=4,r=8,p=1$${SALT}$${'A'.repeat(41)}`],
    ['padding', `$scrypt$ln=4,r=8,p=1$${SALT}$${KEY}=`],
    ['a line break at the end', `$scrypt$ln=4,r=8,p=1$${SALT}$${KEY}\n`],
    ['more parts', `$scrypt$ln=4,r=8,p=1$${SALT}$${KEY}$`],
  ])('%s is the hash of no password, after the work of a hash', async (_, hash) => {
    const scrypt = vi
      .spyOn(process.getBuiltinModule('node:crypto'), 'scrypt')
      .mockImplementation((_password, _salt, length, _options, done) => done(null, Buffer.alloc(length)))
    expect(await verifyPassword('a long enough password', hash)).toBe(false)
    expect(scrypt.mock.calls.map(([, , length, cost]) => ({ length, cost }))).toEqual([
      { length: 32, cost: { N: 2 ** 15, r: 8, p: 3, maxmem: expect.any(Number) } },
    ])
  })

  test('a wrong password takes the same comparison wherever its key first differs', async () => {
    const hash = await hashPassword('password', cheap)
    const key = Buffer.from(hash.split('$').at(-1)!, 'base64')
    const comparisons = []
    for (const at of [0, 15, 31]) {
      const wrong = Buffer.from(key)
      wrong[at]! ^= 255
      const stored = hash.replace(/[^$]+$/, wrong.toString('base64').replace(/=+$/, ''))
      const read = vi.spyOn(String.prototype, 'charCodeAt')
      expect(await verifyPassword('password', stored)).toBe(false)
      comparisons.push(read.mock.calls.length)
      read.mockRestore()
    }
    // 44 characters of each key; what is more has read the hash
    expect(comparisons[0]).toBeGreaterThanOrEqual(88)
    expect(new Set(comparisons).size).toBe(1)
  })

  test('where the platform has no scrypt, the error says what to set', async () => {
    vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined)
    await expect(hashPassword('password')).rejects.toThrow(
      'sluice/password needs node:crypto: a Worker has it with the compatibility flag nodejs_compat',
    )
  })

  test.each([
    [{ logN: 0 }, '$scrypt$ln=0,r=8,p=3$'],
    [{ logN: 21 }, '$scrypt$ln=21,r=8,p=3$'],
    [{ logN: 14.5 }, '$scrypt$ln=14.5,r=8,p=3$'],
    [{ r: -1 }, '$scrypt$ln=15,r=-1,p=3$'],
    [{ p: 100 }, '$scrypt$ln=15,r=8,p=100$'],
    [{ p: Number.NaN }, '$scrypt$ln=15,r=8,p=NaN$'],
  ])('the cost %j is refused', async (cost, got) => {
    const message = `cost: expected whole numbers from 1 to 99 that need 1 GiB at most, got "${got}"`
    await expect(hashPassword('password', cost)).rejects.toThrow(`hashPassword: ${message}`)
    expect(() => needsRehash('', cost)).toThrow(`needsRehash: ${message}`)
  })

  test('the highest costs are accepted, and an unknown one is named', async () => {
    for (const cost of [{ logN: 20 }, { logN: 17, r: 64 }, { p: 99 }, { logN: undefined }])
      expect(needsRehash('', cost as object)).toBe(true)
    await expect(hashPassword('password', { N: 4 } as object)).rejects.toThrow('hashPassword: N: unknown option')
  })
})

describe('needsRehash: an old hash is replaced at the login', () => {
  /** A login as an application writes it. */
  const logIn = async (user: { passwordHash: string }, password: string): Promise<boolean> => {
    if (!(await verifyPassword(password, user.passwordHash))) return false
    if (needsRehash(user.passwordHash)) user.passwordHash = await hashPassword(password)
    return true
  }

  test('a right password replaces the hash once; a wrong one replaces nothing', async () => {
    const old = await hashPassword('a long enough password', cheap)
    const user = { passwordHash: old }
    expect(await logIn(user, 'another long password')).toBe(false)
    expect(user.passwordHash).toBe(old)
    expect(await logIn(user, 'a long enough password')).toBe(true)
    const renewed = user.passwordHash
    expect(renewed).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$/)
    expect(await logIn(user, 'a long enough password')).toBe(true)
    expect(user.passwordHash).toBe(renewed)
  })

  test.each([
    ['the current cost', undefined, false],
    ['the cost that is asked for', cheap, true],
    ['nothing that it could read', undefined, true, 'plain'],
  ] as const)('a hash of %s', async (_, cost, outdated, hash?: string) => {
    const stored = hash ?? (await hashPassword('password', cost))
    expect(needsRehash(stored)).toBe(outdated)
    if (cost) expect(needsRehash(stored, cost)).toBe(false)
  })

  test('the cost of 1 is not that of 15', () => {
    expect(needsRehash('$scrypt$ln=15,r=8,p=3$x$y', { p: 30 })).toBe(true)
    expect(needsRehash('$scrypt$ln=15,r=8,p=30$x$y')).toBe(true)
  })
})

describe('one-time tokens', () => {
  test('a token has 256 random bits, and its hash is SHA-256', async () => {
    const { token, hash } = await createOneTimeToken()
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(hash).toMatch(/^[\da-f]{64}$/)
    expect((await createOneTimeToken()).token).not.toBe(token)
    // FIPS 180-4
    expect(await hashOneTimeToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })

  test('a token fits its own hash alone', async () => {
    const { token, hash } = await createOneTimeToken()
    expect(await verifyOneTimeToken(token, hash)).toBe(true)
    const others = [
      (await createOneTimeToken()).hash,
      hash.toUpperCase(),
      hash.slice(1),
      `${hash}0`,
      '',
      null,
      undefined,
    ]
    for (const other of others) expect(await verifyOneTimeToken(token, other)).toBe(false)
  })
})
