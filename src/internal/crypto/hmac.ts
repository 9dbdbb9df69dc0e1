import { hmac, readEnv } from '#runtime/core'
import { checkOption } from '../options/check.ts'
import { equal } from './equal.ts'

/** Bytes of a secret that cannot be guessed, if they are random (RFC 2104 §3: as many as the digest has). */
const SAFE = 32

/** Whether the warning about a short secret was printed: once per process is enough. */
let warned = false

/**
 * The secrets as a list, the one that signs first. A short one throws in production, and causes one warning otherwise.
 *
 * @param feature the function that was given them, for messages, which never show a secret
 * @throws {TypeError} if there is no secret, one is empty, or one has fewer than 32 bytes and `NODE_ENV` is
 * `production`.
 */
export const secretsOf = (secret: string | readonly string[], feature: string): readonly string[] => {
  const secrets = typeof secret === 'string' ? [secret] : secret
  const isValid = Array.isArray(secrets) && secrets.length && secrets.every((item) => item && typeof item === 'string')
  const option = `${feature}: secret`
  checkOption(isValid, option, 'a non-empty string, or a list of them', secret && typeof secret)
  const size = Math.min(...secrets.map((one) => new TextEncoder().encode(one).length))
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
