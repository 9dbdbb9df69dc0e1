import { internalsOf } from '../../kernel/context.ts'
import { signValue } from '../crypto/hmac.ts'
import { randomToken } from '../crypto/token.ts'
import type { Awaitable, Context } from '../types/context.ts'
import type { SealedSessionStore, SessionData, SessionLink, SessionStore } from './session-store.ts'

/** A session as it was loaded from the store. */
export interface LoadedSession {
  readonly id: string
  readonly data: SessionData
}

/** What saving needs of the middleware. */
export interface SavePolicy {
  readonly name: string
  /** Lifetime in browser and store, in seconds; `undefined` for the browser's session and a day in the store. */
  readonly maxAge: number | undefined
  readonly secrets: readonly string[]
  readonly rolling?: boolean | undefined
  readonly passOnStoreError?: boolean | undefined
  readonly onConflict?:
    | ((loaded: SessionData, mine: SessionData, current: SessionData) => Awaitable<SessionData>)
    | undefined
  /** Sets the cookie to a signed id or a sealed session, for so many seconds; removes it for `''`. */
  readonly send: (ctx: Context, value: string, maxAge?: number) => void
}

/** Maximum number of attempts to merge; each one means that another request was faster. */
const MAX_ROUNDS = 20

const DAY = 86_400

/** The key of a session's own lifetime in its stored data; `null` for the browser's session. */
const AGE = '~maxAge'

const withoutAge = ({ [AGE]: _, ...data }: SessionData): SessionData => data

/** Pass the session to the request, and return a function that saves it if there is anything to save. */
export const trackSession = (
  ctx: Context,
  names: readonly string[],
  store: SessionStore | SealedSessionStore,
  loadedSession: LoadedSession | undefined,
  policy: SavePolicy,
): (() => Promise<void> | void) => {
  const { name, secrets, onConflict, send } = policy
  const loaded = loadedSession?.data ?? {}
  const oldContent = JSON.stringify(withoutAge(loaded))
  /** The lifetime of this session, if it is not that of the options; `null` for the browser's session. */
  let age = loaded[AGE] as number | null | undefined
  const hasNewAge = (): boolean => age !== loaded[AGE]
  const maxAgeNow = (): number | undefined => (age === undefined ? policy.maxAge : (age ?? undefined))
  const ttlNow = (): number => maxAgeNow() ?? DAY
  const toStored = (data: SessionData): SessionData =>
    age === undefined ? withoutAge(data) : { ...withoutAge(data), [AGE]: age }
  let id = loadedSession?.id
  /** The id that a new one replaces. */
  let oldId: string | undefined
  let mustExtend = policy.rolling

  /** Its data when another session replaced `ctx.state.session`, whose data must not be saved as its own. */
  let frozenContent: string | undefined
  const content = (): string => frozenContent ?? JSON.stringify(ctx.state.session ?? {})
  const ensureId = (): string | undefined => {
    if (!id && content() !== '{}') id = randomToken(32)
    return id
  }
  const link: SessionLink = {
    names,
    leave() {
      frozenContent = content()
      // Middleware between the two sessions may have read it
      if (ensureId()) internalsOf(ctx).isPrivate = true
    },
    id: ensureId,
    renew(clear) {
      oldId = loadedSession?.id
      id = undefined
      if (!clear) return
      ctx.state.session = {}
      age = undefined
    },
    lifetime(maxAge) {
      age = maxAge ?? null
    },
    touch() {
      mustExtend = true
    },
  }
  internalsOf(ctx).session = link
  // A copy: a store may return the same object to every request
  ctx.state.session = JSON.parse(oldContent)

  /** Replace the data that this request has loaded; `false` if a logout, or a login elsewhere, was faster. */
  const replace = async (target: SessionStore, data: SessionData): Promise<boolean> => {
    let merged = data
    let expected = onConflict && JSON.stringify(loaded)
    for (let round = 0; round < MAX_ROUNDS; round++) {
      if (await target.replace!(id!, toStored(merged), ttlNow(), expected)) return true
      const others = onConflict && (await target.get(id!))
      if (!others) return false
      merged = await onConflict(JSON.parse(oldContent), data, withoutAge(others))
      expected = JSON.stringify(others)
    }
    throw new Error(`session: not saved after ${MAX_ROUNDS} conflicts with other requests`)
  }

  const write = async (data: SessionData, changed: boolean): Promise<void> => {
    const maxAge = maxAgeNow()
    const ttl = ttlNow()
    if ('seal' in store) return send(ctx, await store.seal(id!, toStored(data), ttl, secrets, name), maxAge)
    if (!changed && store.touch) await store.touch(id!, ttl)
    else if (!loadedSession || oldId || !store.replace) await store.set(id!, toStored(data), ttl)
    else if (!(await replace(store, data))) return
    if (!loadedSession || oldId || maxAge || hasNewAge())
      send(ctx, await signValue(`session\n${name}`, id!, secrets[0]!), maxAge)
  }

  const save = async (newContent: string): Promise<void> => {
    const isDestroyed = oldId && 'destroy' in store && (await store.destroy(oldId)) === false
    if (newContent === '{}' && (!loadedSession || oldId)) return oldId ? send(ctx, '') : undefined
    // If the old id no longer exists, this request has lost a race against a logout, and saves nothing
    if (isDestroyed) return
    ensureId()
    try {
      await write(JSON.parse(newContent), !!oldId || newContent !== oldContent || hasNewAge())
    } catch (error) {
      if (!policy.passOnStoreError) throw error
    }
  }

  return () => {
    const newContent = content()
    return newContent !== oldContent || oldId || (loadedSession && (mustExtend || hasNewAge()))
      ? save(newContent)
      : undefined
  }
}
