import type { Awaitable } from '../promise/awaitable.ts'

/** The data of a session: any JSON data. */
export type SessionData = Record<string, unknown>

/** Where sessions are stored. Only `get`, `set` and `destroy` are required; the others prevent race conditions. */
export interface SessionStore {
  /** Data of a session that has not expired. */
  get(id: string): Awaitable<SessionData | null | undefined>
  /** Write a session that expires after this many seconds. */
  set(id: string, data: SessionData, ttlSeconds?: number): Awaitable<unknown>
  /** Delete a session; `false` if it did not exist. */
  destroy(id: string): Awaitable<unknown>
  /**
   * Write only if the session still exists and, if `expected` is given, has exactly that JSON. `false` if it was not
   * written. Without this method, a request that is slower than a logout brings the session back.
   */
  replace?(id: string, data: SessionData, ttlSeconds: number, expected?: string): Awaitable<boolean>
  /**
   * Extend the lifetime of a session to this many seconds from now, if it exists. Without this method, `rolling` writes
   * the data again.
   */
  touch?(id: string, ttlSeconds: number): Awaitable<unknown>
}

/** A store that keeps nothing on the server: the cookie holds the data. */
export interface SealedSessionStore {
  /** Create the value of the cookie `name`. @throws {RangeError} if the data is too large. */
  seal(id: string, data: SessionData, ttlSeconds: number, secrets: readonly string[], name?: string): Promise<string>
  /**
   * Read it back; `undefined` when it was changed, has expired, or was sealed with other secrets or under another name.
   */
  open(
    value: string,
    secrets: readonly string[],
    name?: string,
  ): Promise<{ readonly id: string; readonly data: SessionData } | undefined>
}
