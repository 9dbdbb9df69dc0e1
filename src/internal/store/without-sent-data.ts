/** Properties of errors with sent data: ioredis adds its command, mysql2 its SQL with all values. */
const SENT = ['command', 'sql']

/** Hide the data of a failed call, such as that of a session, from logs. Code can still read the properties. */
export const withoutSentData = async <T>(work: () => T | Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    for (const name of SENT) {
      const descriptor = error instanceof Error ? Object.getOwnPropertyDescriptor(error, name) : undefined
      if (descriptor?.configurable) Object.defineProperty(error, name, { ...descriptor, enumerable: false })
    }
    throw error
  }
}
