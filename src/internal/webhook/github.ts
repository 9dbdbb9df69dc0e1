import { toBytes } from '../crypto/to-bytes.ts'
import { digitsOf, type Scheme } from './scheme.ts'

/**
 * https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries. The body is the id:
 * `X-GitHub-Delivery` is not signed, so an attacker who repeats a message could change it.
 */
export const GITHUB: Scheme = {
  name: 'github',
  header: 'x-hub-signature-256',
  bytesOf: toBytes,
  read(header, name) {
    const signatures = digitsOf(/^sha256=(.*)/.exec(header(name))?.[1])
    return signatures.length ? { signatures } : undefined
  },
}
