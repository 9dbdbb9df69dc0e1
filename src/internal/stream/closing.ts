/** Something that stays open until it is told to end. An object needs less memory than a closure. */
export interface OpenSource {
  /** The server closes: end, and let the client reconnect elsewhere. */
  endForShutdown(): void
}

/** The sources that a server must track, and end when it closes. */
export interface Closing {
  begun: boolean
  /** Streams of events (WHATWG HTML §9.2), WebSockets, whose clients reconnect by themselves, and `drainSignal`. */
  readonly openSources: Set<OpenSource>
}

export const createClosing = (): Closing => ({ begun: false, openSources: new Set() })

export const beginClosing = (closing: Closing): void => {
  closing.begun = true
  for (const source of closing.openSources) source.endForShutdown()
}

/** End something when the server closes, or at once when it is closing. Delete it from `openSources` at its end. */
export const endAtShutdown = (closing: Closing, source: OpenSource): void => {
  if (closing.begun) source.endForShutdown()
  else closing.openSources.add(source)
}

/** The server's `Closing`, from what it passes to `fetch` as the third argument. */
export const closingOf = (execution: unknown): Closing | undefined =>
  (execution as { readonly '~closing'?: Closing } | undefined)?.['~closing']

/** Whether a content type is that of a stream of events, with or without parameters. */
export const isEvents = (type: string | null | undefined): boolean => /^text\/event-stream\s*(;|$)/i.test(type ?? '')
