/**
 * How many random inputs a property is tried with: a fiftieth in `npm test`, all of them in the project `slow`, which
 * takes up every file that imports this module.
 *
 * @example
 * fc.assert(property, { numRuns: runs(20_000) })
 */
export const runs = (all: number): number => (process.env.SLUICE_FUZZ === 'full' ? all : Math.ceil(all / 50))
