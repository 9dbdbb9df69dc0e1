import type { Execution } from '../contract.ts'

export { bytesOf, limitBody, textOf } from '../../internal/body/read-body.ts'
export { rereadable } from '../platform/own-form.ts'
export { headerOf, searchOf } from '../platform/path.ts'
export { pathOf } from './path.ts'

interface ServeInfo {
  readonly remoteAddr?: { readonly hostname?: string; readonly transport?: string }
}

/** `Deno.serve` passes the address in its second argument, as long as the request is open. */
export const peerOf = (_request: Request, env: unknown, execution: unknown): string | undefined =>
  addressIn(execution) ?? addressIn(env) ?? (execution as Execution | undefined)?.peer

const addressIn = (info: unknown): string | undefined => {
  try {
    const address = (info as ServeInfo | undefined)?.remoteAddr
    return address?.transport?.startsWith('unix') ? '' : address?.hostname
  } catch {
    // The getter throws once the request is closed
    return undefined
  }
}
