/** Properties in which clients put what they have sent: ioredis its command, mysql2 its SQL with all values. */
const SENT = ['command', 'sql']

/**
 * Hide from logs what a failed call has sent to a store, which may be the data of a session. The error stays the same
 * object, and code can still read the properties.
 */
export const quiet = async <T>(work: () => T | Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    for (const name of SENT) hide(error, name)
    throw error
  }
}

const hide = (error: unknown, name: string): void => {
  const own = error instanceof Error ? Object.getOwnPropertyDescriptor(error, name) : undefined
  if (own?.configurable) Object.defineProperty(error, name, { ...own, enumerable: false })
}
