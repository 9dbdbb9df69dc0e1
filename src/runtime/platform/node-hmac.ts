import type { Hmac } from '../contract.ts'

/**
 * With `node:crypto`: Web Crypto passes each text to another thread, which takes five times as long. The module is
 * loaded at the first use.
 */
export const hmac: Hmac = (secret, text) =>
  process.getBuiltinModule('node:crypto').createHmac('sha256', secret).update(text).digest('base64url')
