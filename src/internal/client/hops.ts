import type { Trusts } from './trust.ts'

/** How far the trusted hops reach, and who stands before them. */
export interface Hops {
  /** Address of the client, as the last trusted hop says; `''` on a unix socket, `undefined` where nobody knows. */
  readonly address: string | undefined
  /** How many hops are trusted, the socket's peer included. */
  readonly trusted: number
}

/**
 * Walk from the socket's peer towards the client, and believe each entry only if the hop that wrote it is trusted.
 *
 * @param entries the list that hops add to on the right
 * @param read the address in an entry; nothing ends the walk
 */
export const walkHops = (
  peer: string | undefined,
  trusts: Trusts,
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
