/** Running work by key, for which others wait. */
export interface Flights<T> {
  /** The running work of a key; resolves to `undefined` if its result cannot be shared. */
  get(key: string): Promise<T | undefined> | undefined
  /** Start work for a key, and return the function that ends it; `undefined` if it is already running. */
  begin(key: string): ((outcome: T | undefined) => void) | undefined
}

/** Others wait for work at most this many milliseconds. */
export const createFlights = <T>(waitMs: number): Flights<T> => {
  const flights = new Map<string, Promise<T | undefined>>()
  return {
    get: (key) => flights.get(key),
    begin(key) {
      if (flights.has(key)) return undefined
      let end: ((outcome: T | undefined) => void) | undefined
      const flight = new Promise<T | undefined>((resolve) => {
        const timer = setTimeout(() => resolve(undefined), waitMs)
        end = (outcome) => {
          clearTimeout(timer)
          resolve(outcome)
        }
      })
      flights.set(key, flight)
      flight.then(() => flights.delete(key))
      return end
    },
  }
}
