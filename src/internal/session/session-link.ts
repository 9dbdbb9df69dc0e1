/** The operations of a request's session that other modules use. */
export interface SessionLink {
  /** Name of its cookie. */
  readonly name: string
  /** The session of another cookie replaces it in `ctx.state`: save the data that it has now. */
  leave(): void
  /** Put its data back into `ctx.state`, if another session has replaced it. */
  resume(): void
  /** All sessions of the request. */
  readonly all: SessionLink[]
  /** The id, including the future id of a new session with data; `undefined` for a new session without data. */
  id(): string | undefined
  /** Continue with a new id and delete the old one; `clear` also drops the data. */
  renew(clear: boolean): void
  /** Set its lifetime, in seconds; `undefined` for the browser's session. */
  lifetime(maxAge: number | undefined): void
  /** Extend its lifetime, even if nothing changed. */
  touch(): void
}
