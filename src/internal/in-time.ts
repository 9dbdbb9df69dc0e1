/**
 * What the work gives, or an error once the time is over: a connection that is half open never answers.
 *
 * @param late makes the error
 * @param work is called before the time starts, so an error that it throws leaves no timer behind
 */
export const inTime = async <T>(timeoutMs: number, late: () => Error, work: () => T | Promise<T>): Promise<T> => {
  const reply = Promise.resolve(work())
  // A reply that fails after its time must not become an unhandled rejection
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
