import { hmac, readEnv } from '#runtime/core'
import { checkOption } from '../options/check.ts'
import { toBytes } from './encoding.ts'
import { equal } from './equal.ts'

/** Bytes of a secret that cannot be guessed (RFC 2104 §3: as many as the digest has). */
const SAFE = 32

/** Whether the warning about a short secret was printed. */
let warned = false

/** The secrets as a list, the one that signs first. A short one throws in production, and elsewhere warns once. */
export const secretsOf = (secret: string | readonly string[], feature: string): readonly string[] => {
  const secrets = typeof secret === 'string' ? [secret] : secret
  const isValid = Array.isArray(secrets) && secrets.length && secrets.every((item) => item && typeof item === 'string')
  const option = `${feature}: secret`
  checkOption(isValid, option, 'a non-empty string, or a list of them', secret && typeof secret)
  const size = Math.min(...secrets.map((item) => toBytes(item).length))
  if (size < SAFE) {
    checkOption(readEnv('NODE_ENV') !== 'production', option, `${SAFE} bytes or more`, size)
    if (!warned) console.warn(`${option}: expected ${SAFE} bytes or more, got ${size}: production refuses it`)
    warned = true
  }
  return secrets
}

/** What a signature is for, and the name of the cookie, without a line break: it is not valid for anything else. */
export type Purpose = `${'cookie' | 'csrf' | 'session'}\n${string}`

/** A value with its signature. */
export const signValue = async (purpose: Purpose, value: string, secret: string): Promise<string> =>
  `${value}.${await hmac(secret, `${purpose}\n${value}`)}`

/** The value, if one of the secrets signed it for that purpose; takes as long for a wrong signature. */
export const openSigned = async (
  purpose: Purpose,
  signed: string,
  secrets: readonly string[],
): Promise<string | undefined> => {
  const dot = signed.lastIndexOf('.')
  const value = signed.slice(0, Math.max(0, dot))
  for (const secret of secrets)
    if (equal(await hmac(secret, `${purpose}\n${value}`), signed.slice(dot + 1))) return value
  return undefined
}
