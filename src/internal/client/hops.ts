import type { TrustTest } from './trust.ts'

export interface Hops {
  /** Address of the client, as the last trusted hop says; `''` on a Unix socket, `undefined` if unknown. */
  readonly address: string | undefined
  /** How many hops are trusted, including the socket's peer. */
  readonly trusted: number
}

/**
 * Walk from the socket's peer towards the client. An entry is used only if the hop that wrote it is trusted.
 *
 * @param entries the list to which hops add on the right
 * @param read returns the address in an entry; without one the walk stops
 */
export const walkHops = (
  peer: string | undefined,
  trusts: TrustTest,
  entries: () => string[],
  read: (entry: string) => string | undefined,
): Hops => {
  let address = peer
  let list: string[] | undefined
  let trusted = 0
  while (trusts(address, trusted)) {
    trusted++
    list ??= entries()
    const entry = read(list.pop() ?? '')
    if (!entry) break
    address = entry
  }
  return { address, trusted }
}
