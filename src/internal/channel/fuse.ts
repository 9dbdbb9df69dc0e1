import { answered, ChannelError } from './channel-error.ts'

/** Sends to a backend while it answers. */
export type Fuse = <T>(timeoutMs: number, what: string, work: () => T | Promise<T>) => Promise<T>

/**
 * Clients of backends queue what they cannot send. So once a publish was not answered in time, one publish at a time is
 * sent until the backend answers, and the others fail at once.
 */
export const createFuse = (): Fuse => {
  let silent = false
  let trying = false
  return async (timeoutMs, what, work) => {
    if (trying) throw new ChannelError('backend', `${what} was not sent: the backend does not answer`)
    const mine = silent
    trying = mine
    try {
      const result = await answered(timeoutMs, what, work)
      silent = false
      return result
    } catch (error) {
      silent = isLate(error as ChannelError) // ChannelError: `answered` throws nothing else
      throw error
    } finally {
      if (mine) trying = false
    }
  }
}

/** True if there was no reply, rather than a refusal. The backend's own time limit may be shorter than ours. */
const isLate = ({ code, cause }: ChannelError): boolean => {
  if (code !== 'backend') return false
  const { code: reason, name } = (cause ?? { code: 'ETIMEDOUT' }) as { code?: unknown; name?: unknown }
  return reason === 'ETIMEDOUT' || name === 'TimeoutError'
}
