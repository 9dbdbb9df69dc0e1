import { expect } from 'vitest'

/** By what factor the larger input is longer. Linear work takes about as many times longer, quadratic its square. */
const FACTOR = 8

/** Between the two: a factor of 8 is 8 times the work when it is linear, 64 times when it is quadratic. */
const LIMIT = 24

/** How often the two sizes are measured before work counts as more than linear. */
const ROUNDS = 6

/** Processor time that the process spent on some work, in microseconds: other processes do not count. */
const spent = async (work: () => unknown): Promise<number> => {
  const start = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(start)
  return user + system
}

/**
 * Expect that work grows with its input, and not with the square of it. It compares two sizes with each other, never
 * with a clock, takes the best of several rounds, and stops as soon as the answer is known.
 *
 * @param size length of the larger input
 * @param make an input of a length; making it is not measured
 * @example
 * await expectLinear(64_000, (size) => ';'.repeat(size), parseParameterized)
 */
export const expectLinear = async <T>(
  size: number,
  make: (size: number) => T,
  work: (input: T) => unknown,
): Promise<void> => {
  const [small, large] = [make(Math.ceil(size / FACTOR)), make(size)]
  await work(small)
  let [less, more] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let round = 0; round < ROUNDS; round++) {
    // Half a millisecond stands for what a call costs whatever its input, so that tiny figures make no ratio.
    less = Math.min(less, (await spent(() => work(small))) + 500)
    more = Math.min(more, (await spent(() => work(large))) + 500)
    if (more / less < LIMIT) return
  }
  expect.fail(`${FACTOR} times the input took ${(more / less).toFixed(1)} times the time (${less} and ${more} µs)`)
}
