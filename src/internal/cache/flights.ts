/** Work by key that others wait for. */
export interface Flights<T> {
  /** The work that is already running for a key; resolves to `undefined` if its result cannot be shared. */
  get(key: string): Promise<T | undefined> | undefined
  /** Start work for a key, and return the function that ends it; `undefined` if it is already running. */
  begin(key: string): ((outcome: T | undefined) => void) | undefined
}

/** Track running work, so that one request does it and the others wait, each at most this many milliseconds. */
export const createFlights = <T>(waitMs: number): Flights<T> => {
  const flights = new Map<string, Promise<T | undefined>>()
  return {
    get: (key) => flights.get(key),
    begin(key) {
      if (flights.has(key)) return undefined
      let land: (outcome: T | undefined) => void = () => {}
      let timer: ReturnType<typeof setTimeout> | undefined
      const flight = new Promise<T | undefined>((resolve) => {
        land = resolve
        timer = setTimeout(() => resolve(undefined), waitMs)
      })
      const end = (outcome: T | undefined): void => {
        clearTimeout(timer)
        if (flights.get(key) === flight) flights.delete(key)
        land(outcome)
      }
      flights.set(key, flight)
      flight.then(() => end(undefined))
      return end
    },
  }
}
