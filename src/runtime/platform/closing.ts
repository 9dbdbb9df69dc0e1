/** Something that would not end by itself. An object, because a function for each of thousands costs memory. */
export interface Endless {
  /** The server closes: end, and let the client reconnect elsewhere. */
  serverCloses(): void
}

/** What a server must track and end when it closes. */
export interface Closing {
  begun: boolean
  /** Streams of events (WHATWG HTML §9.2) and WebSockets, whose clients reconnect by themselves. */
  readonly endless: Set<Endless>
}

export const createClosing = (): Closing => ({ begun: false, endless: new Set() })

/** From now on connections are not kept alive, and senders of events are told to stop. */
export const beginClosing = (closing: Closing): void => {
  closing.begun = true
  for (const one of closing.endless) one.serverCloses()
}

/** End a stream when the server closes, or at once when it is closing. When it has ended, delete it from `endless`. */
export const endWith = (closing: Closing, one: Endless): void => {
  if (closing.begun) one.serverCloses()
  else closing.endless.add(one)
}

/** Whether a content type is that of a stream of events, with or without parameters. */
export const isEvents = (type: string | null | undefined): boolean => /^text\/event-stream\s*(;|$)/i.test(type ?? '')

/** The key of the server's `Closing` in what it passes to `fetch`. */
export interface WithClosing {
  readonly '~closing'?: Closing
}
