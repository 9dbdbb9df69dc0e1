import { pause } from '../time/pause.ts'
import { type ChannelListener, deliver, NOTHING, type Page, type StoredMessage } from './backend.ts'
import { PAGE } from './subscriber.ts'

/** Passes a topic to a listener, each message once and in order, from a connection that may be lost. */
export class Follower {
  readonly listener: ChannelListener
  /** Id of the last message that the listener got. */
  last: string
  readonly #read: (after: string, limit: number) => Promise<Page>
  #isPaused: boolean
  #mustReadAgain = false
  /** Number of the newest `catchUp`: an older one that is still running passes nothing on. */
  #currentRun = 0

  /** @param last the newest known id; without it, live messages wait for the first `catchUp` */
  constructor(
    listener: ChannelListener,
    read: (after: string, limit: number) => Promise<Page>,
    last: string | undefined,
  ) {
    this.listener = listener
    this.#read = read
    this.#isPaused = last === undefined
    this.last = last ?? NOTHING
  }

  /** The connection was lost: live messages are not passed on until `catchUp` has read the missed ones. */
  pause(): void {
    this.#currentRun++
    this.#isPaused = true
  }

  /** Pass on a live message. While the log is being read, note only that it must be read once more. */
  receive(message: StoredMessage): void {
    if (this.#isPaused) this.#mustReadAgain = true
    else deliver(this, [message])
  }

  /** Pass on the messages of the log after `last`. */
  async catchUp(): Promise<void> {
    this.pause()
    const run = this.#currentRun
    let isFullPage = true
    while (isFullPage || this.#mustReadAgain) {
      this.#mustReadAgain = false
      const { messages } = await this.#read(this.last, PAGE)
      if (run !== this.#currentRun) return
      isFullPage = messages.length >= PAGE
      deliver(this, messages)
    }
    this.#isPaused = false
  }
}

/** How often a connection is checked, and how long it may take to answer: half of `giveUpMs`, but 1 to 30 seconds. */
export const checkInterval = (giveUpMs: number): number => Math.min(30_000, Math.max(1000, giveUpMs / 2))

/**
 * Work until it succeeds, with growing pauses between the attempts.
 * @param isWanted asked before each attempt: if false, nothing more is tried
 * @param since when the failures began; 0 for the first error
 * @throws what the last attempt threw, once the failures have lasted longer than so many milliseconds
 */
export const retry = async (
  giveUpMs: number,
  isWanted: () => boolean,
  work: () => Promise<unknown>,
  since: number = performance.now(),
): Promise<void> => {
  let failingSince = since
  for (let pauseMs = 20; isWanted(); pauseMs = Math.min(1000, pauseMs * 2)) {
    try {
      await work()
      return
    } catch (error) {
      failingSince ||= performance.now()
      if (performance.now() - failingSince > giveUpMs) throw error
      await pause(pauseMs, undefined)
    }
  }
}
