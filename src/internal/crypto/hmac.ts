import { hmac, readEnv } from '#runtime/core'
import { checkOption } from '../options/check.ts'
import { toBytes } from './encoding.ts'
import { equal } from './equal.ts'

/** Bytes of a secret that cannot be guessed (RFC 2104 §3: as many as the digest has). */
const SAFE = 32

/** Whether the warning about a short secret was printed. */
let warned = false

/**
 * The secrets as a list, the one that signs first. A short one throws in production, and causes one warning otherwise.
 *
 * @param feature the function that was given them, for messages, which never show a secret
 */
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

/** Whether one of the secrets made the signature; takes as long for a wrong one as for a right one. */
export const verify = async (secrets: readonly string[], text: string, signature: string): Promise<boolean> => {
  for (const secret of secrets) {
    if (equal(await hmac(secret, text), signature)) return true
  }
  return false
}

/** The purpose of a signature: a value that is signed for one purpose is not valid for another. */
type Purpose = 'cookie' | 'session'

/** A value with its signature, which includes purpose and name: the value cannot move to another cookie. */
export const signValue = async (purpose: Purpose, name: string, value: string, secret: string): Promise<string> =>
  `${value}.${await hmac(secret, messageOf(purpose, name, value))}`

/** The value, if one of the secrets signed it for that purpose and under that name. */
export const openSigned = async (
  purpose: Purpose,
  name: string,
  signed: string,
  secrets: readonly string[],
): Promise<string | undefined> => {
  const dot = signed.lastIndexOf('.')
  const value = signed.slice(0, Math.max(0, dot))
  return (await verify(secrets, messageOf(purpose, name, value), signed.slice(dot + 1))) ? value : undefined
}

/** A name contains no line break, so different cookies have different messages. */
const messageOf = (purpose: Purpose, name: string, value: string): string => `${purpose}\n${name}\n${value}`
