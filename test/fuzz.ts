/**
 * How many random inputs a property is tried with: a hundredth in `npm test`, all of them in the project `slow`, which
 * takes up every file that imports this module.
 *
 * @param share one of how many in `npm test`, for inputs that take milliseconds each
 * @example
 * fc.assert(property, { numRuns: runs(20_000) })
 */
export const runs = (all: number, share = 100): number =>
  process.env.SLUICE_FUZZ === 'full' ? all : Math.ceil(all / share)
