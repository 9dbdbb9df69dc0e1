/** What a server asks to end when it closes. */
interface Endless {
  serverCloses(): void
}

/** The sockets that a server ends when it closes. */
export interface ServerEnd {
  readonly begun: boolean
  readonly endless: Set<Endless>
}

/** How a server passes that on: among the rest, so that nothing else is kept. */
export const serverEndOf = (execution: unknown): ServerEnd | undefined =>
  (execution as { readonly '~closing'?: ServerEnd } | undefined)?.['~closing']
