/** Work by key that others wait for. */
export interface Flights<T> {
  /**
   * The work that is already running for a key; resolves to `undefined` if its result cannot be shared, and to `null`
   * if the request came too late for it and should look in the store again.
   */
  get(key: string): Promise<T | null | undefined> | undefined
  /** Start work for a key; `undefined` if it is already running. */
  begin(key: string): FlightEnd<T> | undefined
}

/** The end of some work. */
export interface FlightEnd<T> {
  /** Close the flight: requests that come from now on may know of changes that its result does not show. */
  close(): void
  /** Call this once, with the result. */
  end(outcome: T | undefined): void
}

/** Track running work, so that one request does it and the others wait, each at most this many milliseconds. */
export const createFlights = <T>(waitMs: number): Flights<T> => {
  const flights = new Map<string, Promise<T | null | undefined>>()
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
      let shared: Promise<T | null | undefined> = flight
      const end = (outcome: T | undefined): void => {
        clearTimeout(timer)
        if (flights.get(key) === shared) flights.delete(key)
        land(outcome)
      }
      flights.set(key, flight)
      flight.then(() => end(undefined))
      return {
        close() {
          if (flights.get(key) !== shared) return
          shared = flight.then(() => null)
          flights.set(key, shared)
        },
        end,
      }
    },
  }
}
