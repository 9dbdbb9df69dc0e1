import type { SessionData } from './session-store.ts'

/**
 * The data of a stored session. A string that is not JSON, such as one that the database has truncated, counts as a
 * session that does not exist. Otherwise its visitor would get an error from each page until the cookie expires.
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
