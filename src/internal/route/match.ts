/** A method, a pattern as `normalizePattern` gives it, and what is found there. Method `*` is every method. */
export interface RouterEntry<T> {
  readonly method: string
  readonly path: string
  readonly value: T
}

/** What was found. `params` is `undefined` if the pattern has none, so a static hit allocates nothing. */
export interface Match<T> {
  readonly value: T
  readonly params: Record<string, string> | undefined
}

/** Finds what is registered for a method and a path. */
export interface Router<T> {
  /** Methods that have routes of their own; `*` is every other. */
  readonly methods: ReadonlySet<string>
  /** @throws {URIError} if a parameter holds a malformed percent escape. */
  find(method: string, path: string): Match<T> | undefined
}

/** Makes a router. `strict` makes a trailing slash significant in patterns and paths. */
export type CreateRouter = <T>(entries: readonly RouterEntry<T>[], strict?: boolean) => Router<T>
