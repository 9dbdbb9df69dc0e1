/**
 * The result of the work, or an error after the time limit, because a half-open connection never replies.
 *
 * @param late creates the error
 * @param work is called before the time starts, so an error that it throws leaves no timer behind
 */
export const inTime = async <T>(timeoutMs: number, late: () => Error, work: () => T | Promise<T>): Promise<T> => {
  const reply = Promise.resolve(work())
  // A late rejection must not become an unhandled one
  reply.catch(() => {})
  let timer: ReturnType<typeof setTimeout> | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), timeoutMs)
  })
  try {
    return await Promise.race([reply, deadline])
  } finally {
    clearTimeout(timer)
  }
}

/** An error about a missing reply, with the code that sockets use for it. */
export const timedOut = (message: string): Error => Object.assign(new Error(message), { code: 'ETIMEDOUT' })
