/**
 * Something that stays open until it is told to end. An object, because a closure for each of thousands would cost
 * memory.
 */
export interface Endless {
  /** The server closes: end, and let the client reconnect elsewhere. */
  serverCloses(): void
}

/** The sources that a server must track, and end when it closes. */
export interface Closing {
  begun: boolean
  /** Streams of events (WHATWG HTML §9.2), WebSockets, whose clients reconnect by themselves, and `drainSignal`. */
  readonly endless: Set<Endless>
}

export const createClosing = (): Closing => ({ begun: false, endless: new Set() })

export const beginClosing = (closing: Closing): void => {
  closing.begun = true
  for (const source of closing.endless) source.serverCloses()
}

/** End something when the server closes, or at once when it is closing. When it has ended, delete it from `endless`. */
export const endWith = (closing: Closing, source: Endless): void => {
  if (closing.begun) source.serverCloses()
  else closing.endless.add(source)
}

/** The server's `Closing`, from what it passes to `fetch` as the third argument. */
export const closingOf = (execution: unknown): Closing | undefined =>
  (execution as { readonly '~closing'?: Closing } | undefined)?.['~closing']

/** Whether a content type is that of a stream of events, with or without parameters. */
export const isEvents = (type: string | null | undefined): boolean => /^text\/event-stream\s*(;|$)/i.test(type ?? '')
