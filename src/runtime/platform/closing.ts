import type { Closing } from '../../internal/stream/closing.ts'

export const createClosing = (): Closing => ({ begun: false, endless: new Set() })

/** Stop keeping connections alive, and stop the senders of events. */
export const beginClosing = (closing: Closing): void => {
  closing.begun = true
  for (const source of closing.endless) source.serverCloses()
}

/** Whether a content type is that of a stream of events, with or without parameters. */
export const isEvents = (type: string | null | undefined): boolean => /^text\/event-stream\s*(;|$)/i.test(type ?? '')
