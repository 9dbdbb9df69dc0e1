import { markHandled } from '../promise/awaitable.ts'

/** The result of the work, or an error after the time limit, because a half-open connection never replies. */
export const inTime = async <T>(timeoutMs: number, toError: () => Error, work: () => T | Promise<T>): Promise<T> => {
  // Before the time starts, so that an error which it throws leaves no timer behind
  const reply = markHandled(work())
  let timer: ReturnType<typeof setTimeout> | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(toError()), timeoutMs)
  })
  try {
    return await Promise.race([reply, deadline])
  } finally {
    clearTimeout(timer)
  }
}

/** An error about a missing reply, with the code that sockets use for it. */
export const timedOut = (message: string): Error => Object.assign(new Error(message), { code: 'ETIMEDOUT' })
