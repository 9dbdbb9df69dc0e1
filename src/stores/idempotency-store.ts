import type { Awaitable } from '../context.ts'

/**
 * Where the answers of `idempotency`, and the messages that `webhook` has seen, live. A key is 64 characters of
 * hexadecimal digits, and a value is a text.
 */
export interface IdempotencyStore {
  /**
   * Take a key, in one step with the question whether somebody has it.
   *
   * @param claim what is kept under the key until {@link replace}; no other taker has the same
   * @param seconds after which the key is free again if nothing replaced the claim
   * @returns what another one has put there; nothing if the key is taken now
   */
  take(key: string, claim: string, seconds: number): Awaitable<string | undefined>
  /** Put the final value instead of the claim, for so many seconds; does nothing if the claim has gone. */
  replace(key: string, claim: string, value: string, seconds: number): Awaitable<unknown>
  /** Free the key; does nothing if the claim has gone. */
  release(key: string, claim: string): Awaitable<unknown>
}
