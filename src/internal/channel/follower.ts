import { type ChannelListener, type Page, type StoredMessage, withGaps } from './backend.ts'
import { compareIds, NOTHING } from './message-id.ts'

/**
 * Passes a topic from a connection, which may be lost, to a listener. Missed messages are read from the backend's log.
 */
export interface Follower {
  readonly listener: ChannelListener
  /** Id of the last message that the listener got. */
  last: string
  /** The connection was lost: live messages are not passed on until `catchUp` has read the missed ones. */
  pause(): void
  /** Pass on a live message. While the log is being read, note only that it must be read once more. */
  receive(message: StoredMessage): void
  /** Pass on the messages of the log after `last`. */
  catchUp(): Promise<void>
}

const PAGE = 256

/**
 * Interval between checks of a connection, and the time that it has to answer one before it counts as lost, in
 * milliseconds: half of the time after which its subscriptions end, within limits, so that a busy server is not lost.
 */
export const checkInterval = (giveUpMs: number): number => Math.min(30_000, Math.max(1000, giveUpMs / 2))

/**
 * Pass the messages of a topic to a listener, each once and in order.
 *
 * @param last the newest known id; without it, live messages wait for the first `catchUp`
 */
export const createFollower = (
  listener: ChannelListener,
  read: (after: string, limit: number) => Promise<Page>,
  last: string | undefined,
): Follower => {
  let isPaused = last === undefined
  let mustReadAgain = false
  /** Number of the newest `catchUp`: an older one that is still running passes nothing on. */
  let currentRun = 0
  const deliver = (messages: readonly StoredMessage[]): void => {
    const fresh = messages.filter(({ id }) => compareIds(id, follower.last) > 0)
    for (const message of withGaps(follower.last, fresh)) {
      follower.last = message.id
      listener.next(message)
    }
  }
  const follower: Follower = {
    listener,
    last: last ?? NOTHING,
    pause() {
      currentRun++
      isPaused = true
    },
    receive(message) {
      if (isPaused) mustReadAgain = true
      else deliver([message])
    },
    async catchUp() {
      const run = ++currentRun
      isPaused = true
      let isFullPage = true
      while (isFullPage || mustReadAgain) {
        mustReadAgain = false
        const { messages } = await read(follower.last, PAGE)
        if (run !== currentRun) return
        isFullPage = messages.length >= PAGE
        deliver(messages)
      }
      isPaused = false
    },
  }
  return follower
}
