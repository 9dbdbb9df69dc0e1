import type { TrustTest } from './trust.ts'

/** The number of trusted hops, and the client before them. */
export interface Hops {
  /** Address of the client, as the last trusted hop says; `''` on a Unix socket, `undefined` if unknown. */
  readonly address: string | undefined
  /** How many hops are trusted, including the socket's peer. */
  readonly trusted: number
}

/**
 * Walk from the socket's peer towards the client, and use each entry only if the hop that wrote it is trusted.
 *
 * @param entries the list that hops add to on the right
 * @param read the address in an entry; the walk stops if there is none
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
