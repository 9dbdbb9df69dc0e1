import { toBytes } from '../crypto/to-bytes.ts'
import { digitsOf, type Scheme, secondsOf } from './scheme.ts'

/** https://docs.stripe.com/webhooks#verify-manually. A repeated event has another time but the same id. */
export const STRIPE: Scheme = {
  name: 'stripe',
  header: 'stripe-signature',
  bytesOf: toBytes,
  read(header, name) {
    const pairs = header(name)
      .split(',')
      .map((pair) => pair.trim().split('=') as [string, string?])
    const time = pairs.find(([key]) => key === 't')?.[1] ?? ''
    const timestamp = secondsOf(time)
    const signatures = pairs.flatMap(([key, hex]) => (key === 'v1' ? digitsOf(hex) : []))
    return signatures.length && timestamp !== undefined ? { prefix: `${time}.`, timestamp, signatures } : undefined
  },
  idOf(_, body) {
    try {
      const { id } = JSON.parse(new TextDecoder().decode(body))
      return typeof id === 'string' && id ? id : undefined
    } catch {
      return undefined
    }
  },
}
