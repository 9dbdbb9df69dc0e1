/** Hide the data of a failed call, such as that of a session, from logs. Code can still read the properties. */
export const withoutSentData = async <T>(work: () => T | Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    // ioredis adds its command to errors, mysql2 its SQL with all values
    for (const name of ['command', 'sql']) {
      const descriptor = error instanceof Error ? Object.getOwnPropertyDescriptor(error, name) : undefined
      if (descriptor?.configurable) Object.defineProperty(error, name, { ...descriptor, enumerable: false })
    }
    throw error
  }
}
