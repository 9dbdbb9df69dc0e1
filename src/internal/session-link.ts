/** What a request's session lets others do with it. */
export interface SessionLink {
  /** The id, also one that the session will get because it holds something; `undefined` for an untouched new session. */
  id(): string | undefined
  /** Go on under a new id and forget the old one; `clear` drops the data as well. */
  renew(clear: boolean): void
  /** Let it live on, though nothing changed. */
  touch(): void
}

/** By context, so that the session's data has no key that is not its own. */
const links: WeakMap<object, SessionLink> = /* @__PURE__ */ new WeakMap()

export const linkSession = (ctx: object, link: SessionLink): void => {
  links.set(ctx, link)
}

export const sessionOf = (ctx: object): SessionLink | undefined => links.get(ctx)
