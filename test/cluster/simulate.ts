import { fileURLToPath } from 'node:url'

/** What a request costs, in microseconds. */
export interface Costs {
  /** CPU time of the process that answers. */
  readonly answer: number
  /** CPU time of Redis, which works on one command at a time. */
  readonly redis: number
  /** From the process to Redis and back. */
  readonly network: number
}

export interface Outcome {
  /** Requests per second that the first limit allows. */
  readonly capacity: number
  readonly limit: 'processes' | 'Redis'
  /** Time in the system, in milliseconds, and how busy each part is, at the share of the capacity that was asked for. */
  readonly mean: number
  readonly p99: number
  readonly busyProcesses: number
  readonly busyRedis: number
}

/** Numbers between 0 and 1 that are the same in each run (a linear congruential generator, Numerical Recipes). */
const seeded = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state + 1) / 4_294_967_297
  }
}

/**
 * Requests that come at random (Poisson) go to processes in turn, each of which works on one at a time, and from there to
 * one Redis. Times of work are exponential: what is rare and slow is in it.
 *
 * @param processes on all machines together
 * @param share of the capacity that is asked for
 */
export const simulate = (
  processes: number,
  { answer, redis, network }: Costs,
  share = 0.7,
  count = 200_000,
): Outcome => {
  const random = seeded(1)
  const exponential = (mean: number): number => -mean * Math.log(random())
  const most = { processes: processes / answer, Redis: redis ? 1 / redis : Number.POSITIVE_INFINITY }
  const limit = most.processes <= most.Redis ? 'processes' : 'Redis'
  const rate = share * most[limit]

  const free = new Float64Array(processes)
  const leaves: { came: number; at: number }[] = []
  let now = 0
  for (let n = 0; n < count; n++) {
    now += exponential(1 / rate)
    const process = n % processes
    free[process] = Math.max(now, free[process]!) + exponential(answer)
    leaves.push({ came: now, at: free[process]! + network / 2 })
  }
  let redisFree = 0
  const times = leaves
    .sort((a, b) => a.at - b.at)
    .map(({ came, at }) => {
      redisFree = redis ? Math.max(at, redisFree) + exponential(redis) : at
      return redisFree + network / 2 - came
    })
    .sort((a, b) => a - b)
  return {
    capacity: most[limit] * 1e6,
    limit,
    mean: times.reduce((sum, time) => sum + time, 0) / count / 1000,
    p99: times[Math.floor(count * 0.99)]! / 1000,
    busyProcesses: (rate * answer) / processes,
    busyRedis: rate * redis,
  }
}

/** Rows of docs/scaling.md: machines of four processes each. */
export const tableOf = (costs: Costs): string => {
  const rows = [1, 2, 4, 8, 16, 32].map((machines) => {
    const { capacity, limit, mean, p99, busyProcesses, busyRedis } = simulate(machines * 4, costs)
    const percent = (part: number): string => `${Math.round(part * 100)} %`
    const round = Math.round(capacity / 100) * 100
    const times = `${mean.toFixed(1)} ms | ${p99.toFixed(1)} ms`
    return `| ${machines} | ${round.toLocaleString('en')} | ${limit} | ${times} | ${percent(busyProcesses)} | ${percent(busyRedis)} |`
  })
  return [
    '| Machines | Maximum requests per second | First limit | Mean | p99 | Processes busy | Redis busy |',
    '|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n')
}

// `tsx test/cluster/simulate.ts <answer> <redis> <network>`, each in microseconds
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [answer = 100, redis = 10, network = 200] = process.argv.slice(2).map(Number)
  console.log(tableOf({ answer, redis, network }))
}
