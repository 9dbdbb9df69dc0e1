/** What a request's session lets others do with it. */
export interface SessionLink {
  /**
   * The id, also one that the session will get because it holds something; `undefined` for an untouched new session.
   */
  id(): string | undefined
  /** Go on under a new id and forget the old one; `clear` drops the data as well. */
  renew(clear: boolean): void
  /** Let it live on, though nothing changed. */
  touch(): void
}

/**
 * Where it hangs on the context: the session's data has no key that is not its own, and `csrf` finds it without
 * importing `session`.
 */
const LINK: unique symbol = /* @__PURE__ */ Symbol('sluice.session')

/** Where it stands that an answer is for one client. */
const PERSONAL: unique symbol = /* @__PURE__ */ Symbol('sluice.personal')

interface Linked {
  [LINK]?: SessionLink
  [PERSONAL]?: true
}

export const linkSession = (ctx: object, link: SessionLink): void => {
  ;(ctx as Linked)[LINK] = link
}

export const sessionOf = (ctx: object): SessionLink | undefined => (ctx as Linked)[LINK]

/** Say that the answer is for this client alone: a token, or a right, of its own went into it. */
export const markPersonal = (ctx: object): void => {
  ;(ctx as Linked)[PERSONAL] = true
}

/** Whether that was said, or the request has a session. What says so in the answer's fields may come too late to be read. */
export const isPersonal = (ctx: object): boolean =>
  (ctx as Linked)[PERSONAL] === true || sessionOf(ctx)?.id() !== undefined
