import type { Query } from '../queries.ts'
import { readThrown, shorten, shortStack } from '../thrown.ts'
import type { Failure, Visit } from '../trace.ts'
import type { Answer } from './bodies.ts'

/** A request in the log of the inspector. */
export interface Entry {
  /** Counts up from 1 for each process. */
  readonly id: number
  readonly method: string
  readonly url: string
  /** The original values, which are sent again. Pages hide the secrets in them. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Time of arrival, by `performance.now()` and as a date. */
  readonly begin: number
  readonly at: Date
  /** Id of the request that this one repeats. */
  readonly repeats?: number
  /** The result; undefined while the request is handled. */
  outcome?: Outcome
  /** The body, to be sent again; undefined if it is too long, or cannot be read twice. */
  body?: Uint8Array
  /** The body of the response, as far as it has been sent. */
  answer?: Answer
  /** The statements for the database, in the order of their ends. */
  readonly queries: Query[]
}

/** The result of a request. */
export interface Outcome {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Milliseconds until the response; its body may take longer. */
  readonly took: number
  readonly steps: readonly TraceEntry[]
  readonly error?: {
    readonly name: string
    readonly message: string
    readonly causes: readonly string[]
    readonly stack: string
    readonly step: string
  }
}

/** A step of a request, with its start, its duration, and its duration without inner steps, in milliseconds. */
export interface TraceEntry {
  readonly name: string
  readonly depth: number
  readonly from: number
  readonly took: number
  readonly ownTime: number
  readonly failed: boolean
}

/** How many requests are kept. */
const MAX_ENTRIES = 100

/** The last requests, the newest first. */
export class RequestLog {
  readonly #entries: Entry[] = []
  #last = 0

  add(request: Pick<Request, 'method' | 'url' | 'headers'>, repeats?: number): Entry {
    const { method, url, headers } = request
    const entry: Entry = {
      id: ++this.#last,
      method,
      url,
      headers: [...headers],
      begin: performance.now(),
      at: new Date(),
      queries: [],
      ...(repeats !== undefined && { repeats }),
    }
    this.#entries.unshift(entry)
    if (this.#entries.length > MAX_ENTRIES) this.#entries.pop()
    return entry
  }

  find(id: number): Entry | undefined {
    return this.#entries.find((entry) => entry.id === id)
  }

  clear(): void {
    this.#entries.length = 0
  }

  all(): readonly Entry[] {
    return this.#entries
  }
}

/** The outcome, once there is a response. */
export const outcomeOf = (
  { begin }: Entry,
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  visits: readonly Visit[],
  failure: Failure | undefined,
): Outcome => {
  const now = performance.now()
  const error = failure && describeError(failure)
  return {
    status,
    headers: [...headers],
    took: now - begin,
    steps: stepsOf(visits, begin, now),
    ...(error && { error }),
  }
}

/** The steps in order, nested by time: a step that had not ended when another one began is around it. */
const stepsOf = (visits: readonly Visit[], begin: number, now: number): readonly TraceEntry[] => {
  const endOf = ({ end = now }: Visit): number => end
  return visits.map((visit, index) => {
    const { step, failed = false } = visit
    const around = visits.slice(0, index).filter((other) => endOf(other) > visit.begin || other.end === undefined)
    const took = endOf(visit) - visit.begin
    const next = visits.slice(index + 1).find((other) => other.begin < endOf(visit))
    const inside = next === undefined ? 0 : Math.min(endOf(next), endOf(visit)) - next.begin
    const ownTime = Math.max(0, took - inside)
    return { name: step, depth: around.length, from: visit.begin - begin, took, ownTime, failed }
  })
}

const describeError = ({ error, step }: Failure): Outcome['error'] => {
  const thrown = readThrown(error)
  const { name, message, causes } = thrown
  return { name: shorten(name), message: shorten(message), causes, stack: shortStack(thrown), step }
}
