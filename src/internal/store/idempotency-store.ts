import type { Awaitable } from '../types/context.ts'

/** Where responses of `idempotency` and messages of `webhook` are stored. A key has 64 hexadecimal digits. */
export interface IdempotencyStore {
  /**
   * Claim a key atomically, unless it is claimed already.
   *
   * @param claim the value under the key until {@link replace}; unique for each caller
   * @param seconds after which the key is free again, if nothing has replaced the claim
   * @returns the existing value of another caller; `undefined` if the key is now claimed
   */
  take(key: string, claim: string, seconds: number): Awaitable<string | undefined>
  /** Replace the claim with the final value, for this many seconds; does nothing if the claim no longer exists. */
  replace(key: string, claim: string, value: string, seconds: number): Awaitable<unknown>
  /** Free the key; does nothing if the claim no longer exists. */
  release(key: string, claim: string): Awaitable<unknown>
}
