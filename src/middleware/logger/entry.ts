/** One finished request. */
export interface LogEntry {
  readonly method: string
  /** Path as the client requested it, without the query, which may contain secrets. */
  readonly path: string
  readonly status: number
  /** Time from the logger until the response headers are ready, in whole milliseconds. */
  readonly duration: number
  /** `ctx.state.requestId`, if a middleware has set it. */
  readonly requestId?: unknown
  /** The error that was thrown inside the logger, for a format that is a function. */
  readonly error?: unknown
}
