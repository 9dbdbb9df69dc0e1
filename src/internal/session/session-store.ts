import type { Awaitable } from '../awaitable.ts'

/** What a session holds: anything that JSON can. */
export type SessionData = Record<string, unknown>

/** Where sessions live. `get`, `set` and `destroy` are enough; the others close races that those three leave open. */
export interface SessionStore {
  /** Data of a session that has not expired. */
  get(id: string): Awaitable<SessionData | null | undefined>
  /** Write a session, to be forgotten after so many seconds. */
  set(id: string, data: SessionData, ttlSeconds?: number): Awaitable<unknown>
  /** Forget a session; `false` says that it was not there. */
  destroy(id: string): Awaitable<unknown>
  /**
   * Write only where the session is still there, and, if `expected` is given, holds exactly that JSON. `false` when
   * it was not written. Without it a request that is slower than a logout brings the session back.
   */
  replace?(id: string, data: SessionData, ttlSeconds: number, expected?: string): Awaitable<boolean>
  /** Let a session live for so many more seconds, if it is there. Without it, `rolling` writes the data again. */
  touch?(id: string, ttlSeconds: number): Awaitable<unknown>
}

/** A store that keeps nothing on the server: the cookie holds the data. */
export interface SealedSessionStore {
  /** Make the value of the cookie `name`. @throws {RangeError} when the data does not fit. */
  seal(id: string, data: SessionData, ttlSeconds: number, secrets: readonly string[], name?: string): Promise<string>
  /**
   * Read it back; `undefined` when it was changed, has expired, or was sealed with other secrets or under another
   * name.
   */
  open(
    value: string,
    secrets: readonly string[],
    name?: string,
  ): Promise<{ readonly id: string; readonly data: SessionData } | undefined>
}
