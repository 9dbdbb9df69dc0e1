import type { TrustTest } from './trust.ts'

/**
 * Walk from the socket's peer towards the client. An entry is used only if the hop that wrote it is trusted.
 *
 * @param entries the list to which hops add on the right
 * @param read returns the address in an entry; without one the walk stops
 * @returns the address of the client, and how many hops are trusted, including the socket's peer
 */
export const walkHops = (
  peer: string | undefined,
  trusts: TrustTest,
  entries: () => string[],
  read: (entry: string) => string | undefined,
): { readonly address: string | undefined; readonly trusted: number } => {
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
