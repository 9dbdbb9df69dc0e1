import { type CookieOptions, cookieAttributes, cookieLine, readCookie } from '../internal/cookie/cookie-line.ts'
import { openSigned, secretsOf } from '../internal/crypto/hmac.ts'
import { checkNames, checkOption, checkRecord, checkWhole } from '../internal/options/check.ts'
import { tryCall, whenResolved } from '../internal/promise/awaitable.ts'
import { passing } from '../internal/route/passing.ts'
import { type LoadedSession, type SavePolicy, trackSession } from '../internal/session/session-save.ts'
import {
  isSessionData,
  type SealedSessionStore,
  type SessionData,
  type SessionStore,
} from '../internal/session/session-store.ts'
import type { Awaitable, CallbackContext, Context, Middleware } from '../internal/types/context.ts'
import { internalsOf } from '../kernel/context.ts'
import { addEdit } from '../kernel/edits.ts'
import { memorySession } from '../stores/memory-session.ts'

export type { SealedSessionStore, SessionData, SessionStore } from '../internal/session/session-store.ts'

/** Attributes of the session's cookie. */
export interface SessionCookieOptions extends Omit<CookieOptions, 'expires' | 'secure'> {
  /** Name; `__Host-session` is the safest. @default 'session' */
  readonly name?: string
  /** Scripts cannot read it. @default true */
  readonly httpOnly?: boolean
  /** Sent over HTTPS only; `'auto'` if the request came over HTTPS. `sameSite: 'none'` turns it on. @default false */
  readonly secure?: boolean | 'auto'
  /** @default 'lax' */
  readonly sameSite?: 'strict' | 'lax' | 'none'
  /**
   * Lifetime in browser and store, in seconds; that of one session: `setSessionMaxAge` of `sluice/session`.
   * @default the browser's session, and 24 hours in the store
   */
  readonly maxAge?: number
}

type AnySessionStore = SessionStore | SealedSessionStore

/** Options of {@link session}. */
export interface SessionOptions<Extra = unknown> {
  /** Secret that signs the id. The first of several signs, and all are accepted. */
  readonly secret: string | readonly string[]
  /** Attributes of the cookie. */
  readonly cookie?: SessionCookieOptions
  /**
   * Where sessions are stored; a function if the store comes with the request, as bindings do on Workers.
   * @default memorySession()
   */
  readonly store?: AnySessionStore | ((ctx: CallbackContext<Extra>) => Awaitable<AnySessionStore>)
  /** Count the lifetime from the last request, not the last change: one write for each request. @default false */
  readonly rolling?: boolean
  /**
   * Merges concurrent changes of two requests: what this one has loaded, what it writes, and what the store contains
   * now. See `mergeSessions` of `sluice/session`. Needs a store with `replace`. @default the later one wins
   */
  readonly onConflict?: (loaded: SessionData, mine: SessionData, current: SessionData) => Awaitable<SessionData>
  /**
   * While the store fails, serve requests with an empty session, which is not saved; a logout still fails. Without it,
   * the error is thrown (500). @default false
   */
  readonly passOnStoreError?: boolean
}

/**
 * Keep data between the requests of one browser, under a signed random id in a cookie.
 *
 * Writes `ctx.state.session`, an object with any JSON data. A new session without data is not stored and sets no
 * cookie. Changes are saved before the response is sent, even if the handler threw. An id that is forged, unknown or
 * expired is never used. A second `session` with another cookie name replaces `ctx.state.session`; the first is saved
 * with the data that it has then. One with the same name uses the first; it throws if another name came in between.
 *
 * @throws {TypeError} when created, without a secret, for a bad option, and for a secret below 32 bytes in production.
 * @example
 * createApp().use(session({ secret: env.SECRET, cookie: { secure: true, maxAge: 604_800 } }))
 */
export const session = <Data extends object = SessionData, Extra = unknown>(
  options: SessionOptions<Extra>,
): Middleware<{ session: Data }, {}, Extra> => {
  checkNames('session', options, 'secret cookie store rolling:boolean onConflict:function passOnStoreError:boolean')
  const { store = memorySession(), passOnStoreError, cookie = {} } = options as SessionOptions
  checkRecord(cookie, 'session: cookie', 'an object of options')
  const secrets = secretsOf(options.secret, 'session')
  const { name = 'session', maxAge, secure, httpOnly = true, sameSite = 'lax', ...more } = cookie
  checkOption(typeof store === 'function' || isStore(store), 'session: store', 'a store or a function', typeof store)
  if (maxAge !== undefined) checkWhole(maxAge, 'session: cookie: maxAge', 'seconds', 1)
  const isSecureOption = /^(true|false|auto|undefined)$/.test(`${secure}`)
  checkOption(isSecureOption, 'session: cookie: secure', 'true, false or "auto"', secure)
  if (sameSite === 'none' && !secure) console.warn('session: SameSite=None needs Secure, which is now on')
  const attributesFor = (isSecure: boolean): string =>
    cookieAttributes(name, { ...more, httpOnly, sameSite, secure: isSecure }, 'session: cookie')
  const plainAttributes = attributesFor(secure === true || sameSite === 'none')
  const secureAttributes = attributesFor(true)

  const send = (ctx: Context, value: string, maxAge?: number): void => {
    const age = value ? maxAge : 0
    const attributes = secure === 'auto' && ctx.url.protocol === 'https:' ? secureAttributes : plainAttributes
    const line = cookieLine(name, value, age === undefined ? attributes : `${attributes}; Max-Age=${age}`)
    addEdit(ctx, ['set-cookie', line, 'vary', 'Cookie', 'cache-control', 'private'])
  }
  const policy: SavePolicy = { ...options, name, maxAge, secrets, send }

  /** `null` if the store fails and `passOnStoreError` is set. */
  const giveUp = (error: unknown): null => {
    if (passOnStoreError) return null
    throw error
  }
  const load = async (sessionStore: AnySessionStore, value: string): Promise<LoadedSession | undefined> => {
    if ('seal' in sessionStore) return sessionStore.open(value, secrets, name)
    const id = await openSigned(`session\n${name}`, value, secrets)
    const data = id && (await sessionStore.get(id))
    return isSessionData(data) ? { id: id!, data } : undefined
  }

  const checkStore = (sessionStore: AnySessionStore): AnySessionStore => {
    checkOption(isStore(sessionStore), 'session: store', 'a function that returns a store', typeof sessionStore)
    return sessionStore
  }

  return passing(function session(ctx, next) {
    const outer = internalsOf(ctx).session
    const outerNames = outer?.names ?? []
    // A `session()` of the same cookie name has run before, such as one in front of a group
    if (outerNames.at(-1) === name) return next()
    checkOption(!outerNames.includes(name), 'session: cookie: name', 'no session of another name in between', name)
    outer?.leave()
    const names = [...outerNames, name]
    const value = readCookie(ctx.header('cookie'), name)
    return whenResolved(typeof store === 'function' ? tryCall(store, ctx, giveUp, checkStore) : store, (sessionStore) =>
      whenResolved(sessionStore && value ? load(sessionStore, value).catch(giveUp) : undefined, (loaded) => {
        if (loaded) addEdit(ctx, VARY)
        if (sessionStore && loaded !== null) addEdit(ctx, trackSession(ctx, names, sessionStore, loaded, policy))
        else {
          ctx.state.session = {} as Data
          internalsOf(ctx).session = { ...UNAVAILABLE, names }
        }
        return next()
      }),
    )
  })
}

/** A response with a session must not be sent to others. */
const VARY = ['vary', 'Cookie']

/** Stands in for a session whose store is down. `renew` throws, so that a logout fails and ends no other session. */
const UNAVAILABLE = {
  leave() {},
  id: () => undefined,
  touch() {},
  lifetime() {},
  renew(): never {
    throw new Error('session: the store does not reply')
  },
}

/** Whether a store has the methods that every request needs. */
const isStore = (store: unknown): boolean =>
  ['get set destroy', 'seal open'].some((names) =>
    names.split(' ').every((name) => typeof Object(store)[name] === 'function'),
  )
