/** What a server must track and end when it closes. */
export interface Closing {
  begun: boolean
  /**
   * Ends the streams that would never end: events (WHATWG HTML §9.2), whose clients reconnect by themselves.
   */
  readonly endless: Set<() => void>
}

export const createClosing = (): Closing => ({ begun: false, endless: new Set() })

/** From now on connections are not kept alive, and senders of events are told to stop. */
export const beginClosing = (closing: Closing): void => {
  closing.begun = true
  for (const end of closing.endless) end()
}

/** End a stream when the server closes, or at once when it is closing. @returns a function that forgets the stream. */
export const endWith = (closing: Closing, end: () => void): (() => void) => {
  if (closing.begun) end()
  else closing.endless.add(end)
  return () => void closing.endless.delete(end)
}

/** Whether a content type is that of a stream of events, with or without parameters. */
export const isEvents = (type: string | null | undefined): boolean => /^text\/event-stream\s*(;|$)/i.test(type ?? '')

/** The key of the server's `Closing` in what it passes to `fetch`. */
export interface WithClosing {
  readonly '~closing'?: Closing
}
