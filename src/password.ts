import { scrypt } from '#runtime/core'
import { fromBase64, toBase64 } from './internal/crypto/encoding.ts'
import { equal } from './internal/crypto/equal.ts'
import { sha256Text } from './internal/crypto/sha256.ts'
import { randomToken } from './internal/crypto/token.ts'
import { checkNames, checkOption } from './internal/options/check.ts'

/** The cost of a hash (RFC 7914 §2). It takes 128 · 2^logN · r bytes of memory, at most 1 GiB. */
export interface PasswordCost {
  /** Binary logarithm of N, the cost of CPU and memory. @default 15, which takes 32 MiB */
  readonly logN?: number
  /** Size of a block. @default 8 */
  readonly r?: number
  /** How often the work is done. @default 3 */
  readonly p?: number
}

type Cost = Required<PasswordCost>

/** One of the settings that the OWASP Password Storage Cheat Sheet recommends, and the one that fits into a Worker. */
const COST: Cost = { logN: 15, r: 8, p: 3 }

/**
 * Hash a password for storage: `$scrypt$ln=15,r=8,p=3$<salt>$<key>`, the PHC string format, in 88 characters.
 *
 * Each hash contains its cost and a salt of its own. Unicode forms of the same text are the same password (NFKC). Limit
 * the length of passwords before, for example to 128 characters. Workers need the compatibility flag `nodejs_compat`.
 *
 * @throws {TypeError} if the cost is not made of whole numbers from 1, or takes more than 1 GiB of memory.
 * @example
 * await User.create({ email, passwordHash: await hashPassword(password) })
 */
export const hashPassword = async (password: string, cost: PasswordCost = {}): Promise<string> => {
  const whole = costOf('hashPassword', cost)
  const salt = crypto.getRandomValues(new Uint8Array(16))
  return `${prefixOf(whole)}${toUnpadded(salt)}$${toUnpadded(await deriveKey(password, salt, 32, whole))}`
}

/**
 * Whether the password has this hash, which may have any cost. Keys are compared in constant time.
 *
 * Without a valid hash the result is false, but takes as long, so the time does not reveal who has an account.
 *
 * @example
 * const user = await User.findOne({ where: { email } })
 * if (!(await verifyPassword(password, user?.passwordHash))) throw new HttpError(401)
 */
export const verifyPassword = async (password: string, hash: string | null | undefined): Promise<boolean> => {
  const stored = parse(hash ?? '')
  const { cost, salt, key } = stored ?? { cost: COST, salt: new Uint8Array(16), key: new Uint8Array(32) }
  const derived = await deriveKey(password, salt, key.length, cost)
  return equal(toBase64(derived), toBase64(key)) && stored !== undefined
}

/**
 * Whether a hash should be replaced at the next login, because new ones have another cost.
 *
 * @example
 * if (needsRehash(user.passwordHash)) await user.update({ passwordHash: await hashPassword(password) })
 */
export const needsRehash = (hash: string, cost: PasswordCost = {}): boolean =>
  !hash.startsWith(prefixOf(costOf('needsRehash', cost)))

/** A token to send, and its hash to store. */
export interface OneTimeToken {
  /** 43 characters of base64url, which are 256 random bits. */
  readonly token: string
  /** SHA-256 of it, as 64 hexadecimal digits. */
  readonly hash: string
}

/**
 * Create a token that proves something once, such as access to a mailbox. Send the token and store only its hash.
 *
 * @example
 * const { token, hash } = await createOneTimeToken()
 * await user.update({ tokenHash: hash, tokenExpiresAt: new Date(Date.now() + 3_600_000) })
 */
export const createOneTimeToken = async (): Promise<OneTimeToken> => {
  const token = randomToken(43)
  return { token, hash: await hashOneTimeToken(token) }
}

/**
 * The hash that a token is stored under, to look it up.
 *
 * @example
 * const user = await User.findOne({ where: { tokenHash: await hashOneTimeToken(token) } })
 */
export const hashOneTimeToken = (token: string): Promise<string> => sha256Text(token)

/**
 * Whether the token has this hash, compared in constant time; false without a hash.
 *
 * @example
 * if (!(await verifyOneTimeToken(token, user.tokenHash))) throw new HttpError(422)
 */
export const verifyOneTimeToken = async (token: string, hash: string | null | undefined): Promise<boolean> =>
  equal(await hashOneTimeToken(token), hash ?? '')

const deriveKey = (password: string, salt: Uint8Array, length: number, cost: Cost): Promise<Uint8Array> =>
  scrypt(password.normalize('NFKC'), salt, length, cost)

const costOf = (feature: string, options: PasswordCost): Cost => {
  checkNames(feature, options, 'logN:number r:number p:number')
  const { logN = COST.logN, r = COST.r, p = COST.p } = options
  const cost = { logN, r, p }
  const isReadable = parse(`${prefixOf(cost)}AAAA$${'A'.repeat(43)}`)
  checkOption(isReadable, `${feature}: cost`, 'whole numbers from 1 to 99 that need 1 GiB at most', prefixOf(cost))
  return cost
}

const prefixOf = ({ logN, r, p }: Cost): string => `$scrypt$ln=${logN},r=${r},p=${p}$`

const toUnpadded = (bytes: Uint8Array): string => toBase64(bytes).replaceAll('=', '')

/** Numbers of up to two digits, a salt of up to 64 bytes, a key of 16 to 64 bytes. */
const HASH = /^\$scrypt\$ln=([1-9]\d?),r=([1-9]\d?),p=([1-9]\d?)\$([A-Za-z\d+/]{2,86})\$([A-Za-z\d+/]{22,86})$/

/** The parts of a hash; undefined for any other text, and for a cost of more than 1 GiB. */
const parse = (hash: string): { cost: Cost; salt: Uint8Array; key: Uint8Array } | undefined => {
  const [, logN, r, p, ...texts] = HASH.exec(hash) ?? []
  const cost = { logN: Number(logN), r: Number(r), p: Number(p) }
  const [salt, key] = texts.map(fromBase64)
  return salt && key && 2 ** (cost.logN + 7) * cost.r <= 2 ** 30 ? { cost, salt, key } : undefined
}
