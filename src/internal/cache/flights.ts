/** Work by key that others wait for. */
export interface Flights<T> {
  /** What somebody is doing already; it resolves to nothing if that gave nothing to share. */
  get(key: string): Promise<T | undefined> | undefined
  /** Begin, unless somebody has: call what is returned once, with what came out. */
  begin(key: string): (outcome: T | undefined) => void
}

/** Keep track of what is being made, so that one makes it and all wait, each no longer than so many milliseconds. */
export const createFlights = <T>(waitMs: number): Flights<T> => {
  const flights = new Map<string, Promise<T | undefined>>()
  return {
    get: (key) => flights.get(key),
    begin(key) {
      if (flights.has(key)) return () => {}
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
