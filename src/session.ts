import { checkWhole } from './internal/options/check.ts'
import type { SessionData, SessionLink } from './internal/session/session-store.ts'
import { internalsOf } from './kernel/context.ts'

/**
 * Give the session a new id and delete the old one; the data stays. Call it whenever the rights of a user change, above
 * all at login: an id that an attacker has planted or seen no longer works.
 *
 * @throws {Error} when no `session()` ran before.
 * @example
 * regenerateSession(ctx)
 * ctx.state.session.userId = user.id
 */
export const regenerateSession = (ctx: object): void => linkOf(ctx).renew(false)

/**
 * Delete the session on the server and in the browser. Writing to `ctx.state.session` afterwards starts a new one.
 *
 * @throws {Error} when no `session()` ran before.
 */
export const destroySession = (ctx: object): void => linkOf(ctx).renew(true)

/**
 * Id of the session; `undefined` while it is new and empty, because such a session is not stored.
 *
 * @throws {Error} when no `session()` ran before.
 */
export const sessionId = (ctx: object): string | undefined => linkOf(ctx).id()

/**
 * Extend the lifetime of the session, even if nothing has changed; `rolling` does so for every request.
 *
 * @throws {Error} when no `session()` ran before.
 */
export const touchSession = (ctx: object): void => linkOf(ctx).touch()

/**
 * Set the lifetime of this session, in browser and store, instead of `cookie.maxAge`: for "remember me".
 *
 * @param maxAge seconds; `undefined` for the browser's session, and 24 hours in the store
 * @throws {TypeError} for anything but a whole number from 1. @throws {Error} when no `session()` ran before.
 * @example
 * regenerateSession(ctx)
 * ctx.state.session.userId = user.id
 * setSessionMaxAge(ctx, remember ? 1_209_600 : undefined)
 */
export const setSessionMaxAge = (ctx: object, maxAge: number | undefined): void => {
  if (maxAge !== undefined) checkWhole(maxAge, 'setSessionMaxAge: maxAge', 'seconds', 1)
  linkOf(ctx).lifetime(maxAge)
}

/**
 * Merge two sessions for `session({ onConflict })`: of keys that this request has changed, its value wins.
 *
 * @param loaded the data that this request has loaded, and changed to `mine`
 * @param current the data that another request has stored since
 */
export const mergeSessions = (loaded: SessionData, mine: SessionData, current: SessionData): SessionData => {
  const isChanged = ([key]: [string, unknown]): boolean => JSON.stringify(mine[key]) !== JSON.stringify(loaded[key])
  const others = Object.entries(current).filter((entry) => !isChanged(entry))
  // A key may be `__proto__`
  return Object.fromEntries([...others, ...Object.entries(mine).filter(isChanged)])
}

const linkOf = (ctx: object): SessionLink => {
  const link = internalsOf(ctx).session
  if (!link) throw new Error('No session: register session() before this')
  return link
}
