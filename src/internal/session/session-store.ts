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
  /** Extend a session to this many seconds from now, if it exists. Without it, `rolling` writes the data again. */
  touch?(id: string, ttlSeconds: number): Awaitable<unknown>
}

/** A store that keeps nothing on the server: the cookie holds the data. */
export interface SealedSessionStore {
  /** Create the value of the cookie `name`. @throws {RangeError} if the data is too large. */
  seal(id: string, data: SessionData, ttlSeconds: number, secrets: readonly string[], name?: string): Promise<string>
  /** Read it back; `undefined` if it was changed, has expired, or was sealed with other secrets or another name. */
  open(
    value: string,
    secrets: readonly string[],
    name?: string,
  ): Promise<{ readonly id: string; readonly data: SessionData } | undefined>
}

/**
 * The data of a stored session. A string that is not JSON, such as one that the database has truncated, is no session:
 * otherwise its visitor would get an error from each page until the cookie expires.
 */
export const storedObject = (json: string): SessionData | undefined => {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** Whether a store has returned data of a session. Others may have written anything there. */
export const isSessionData = (data: unknown): data is SessionData =>
  typeof data === 'object' && data !== null && !Array.isArray(data)

/** The operations of a request's session that other modules use. */
export interface SessionLink {
  /** The session of another cookie replaces it in `ctx.state`: save the data that it has now. */
  leave(): void
  /** The names of all sessions of the request. */
  readonly names: readonly string[]
  /** The id, including the future id of a new session with data; `undefined` for a new session without data. */
  id(): string | undefined
  /** Continue with a new id and delete the old one; `clear` also drops the data. */
  renew(clear: boolean): void
  /** Set its lifetime, in seconds; `undefined` for the browser's session. */
  lifetime(maxAge: number | undefined): void
  /** Extend its lifetime. */
  touch(): void
}
