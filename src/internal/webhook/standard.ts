import { fromBase64 } from '../crypto/base64.ts'
import { toHex } from '../crypto/hex.ts'
import { type Scheme, secondsOf } from './scheme.ts'

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
export const STANDARD: Scheme = {
  name: 'standard',
  header: 'webhook',
  bytesOf: (secret) => fromBase64(secret.replace(/^whsec_/, '')),
  read(header, name) {
    const id = header(`${name}-id`)
    const time = header(`${name}-timestamp`)
    const timestamp = secondsOf(time)
    if (!id || timestamp === undefined) return undefined
    const signatures = header(`${name}-signature`)
      .split(' ')
      .flatMap((one) => {
        const bytes = one.startsWith('v1,') ? fromBase64(one.slice(3)) : undefined
        return bytes?.length === 32 ? toHex(bytes) : []
      })
    return signatures.length ? { prefix: `${id}.${time}.`, timestamp, signatures, id } : undefined
  },
  idOf: ({ id }) => id,
}
