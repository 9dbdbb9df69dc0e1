/** The slots of a context whose request has a deadline. */
export interface Timed {
  /** Aborts when the deadline has passed. */
  abort: AbortController | undefined
  /** Ends the deadline that is running: an inner one replaces it. */
  stopDeadline: (() => void) | undefined
}
