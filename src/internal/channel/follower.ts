import { type ChannelListener, type Page, type StoredMessage, withGaps } from './backend.ts'
import { compareIds, NOTHING } from './message-id.ts'

/** A topic that is heard over a connection which may be lost. The backend's log tells what was missed. */
export interface Follower {
  readonly listener: ChannelListener
  /** Id of the newest message that was told. */
  last: string
  /** The connection is lost: what comes over the next one before `catchUp` is not told, since others are missing. */
  pause(): void
  /** Tell a live message. While the log is read, it only says that one more look is needed. */
  hear(message: StoredMessage): void
  /** Tell what the log has after `last`. */
  catchUp(): Promise<void>
}

const PAGE = 256

/**
 * Pass a topic on to a listener, each message once and in order.
 *
 * @param last the newest id that is known; live messages wait for the first `catchUp` if it is not given
 */
export const createFollower = (
  listener: ChannelListener,
  read: (after: string, limit: number) => Promise<Page>,
  last: string | undefined,
): Follower => {
  let reading = last === undefined
  let stale = false
  /** Number of the newest look: an older one that is still under way tells nothing. */
  let look = 0
  const tell = (messages: readonly StoredMessage[]): void => {
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
      look++
      reading = true
    },
    hear(message) {
      if (reading) stale = true
      else tell([message])
    },
    async catchUp() {
      const own = ++look
      reading = true
      let full = true
      while (full || stale) {
        stale = false
        const { messages } = await read(follower.last, PAGE)
        if (own !== look) return
        full = messages.length >= PAGE
        tell(messages)
      }
      reading = false
    },
  }
  return follower
}
