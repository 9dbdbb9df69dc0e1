/** The operations of a request's session that other modules use. */
export interface SessionLink {
  /** Name of its cookie. */
  readonly name: string
  /** The session of another cookie replaces it in `ctx.state`: save the data that it has now. */
  leave(): void
  /** Put its data back into `ctx.state`, if it has left. */
  resume(): void
  /** All sessions of the request. */
  readonly all: SessionLink[]
  /**
   * The id, including the future id of a new session with data; `undefined` for a new session without data.
   */
  id(): string | undefined
  /** Continue with a new id and delete the old one; `clear` also drops the data. */
  renew(clear: boolean): void
  /** Extend its lifetime, even if nothing changed. */
  touch(): void
}

/**
 * Its key on the context: so it takes no key in the data of the session, and `csrf` finds it without importing
 * `session`.
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

/**
 * Whether that was said, or the request has a session. What says so in the answer's fields may come too late to be
 * read.
 */
export const isPersonal = (ctx: object): boolean =>
  (ctx as Linked)[PERSONAL] === true || sessionOf(ctx)?.id() !== undefined
