import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z as zod } from 'zod/v3'
import * as ours from '../../src/zod3.ts'
import { isDecided, outcome, same } from './compare.ts'
import { type Recipe, recipe, valuesFor, type Z } from './recipes.ts'

const RUNS = Number(process.env.Z_PAIRS ?? 100_000)
const VALUES = 12

const pairs = recipe.chain((made) =>
  fc.tuple(fc.constant(made), fc.array(valuesFor(made), { minLength: VALUES, maxLength: VALUES })),
)

test(`V1 to V21: random schemas give the results and issues of zod 3, over at least ${RUNS} pairs of schema and value`, () => {
  let compared = 0
  const differences: unknown[] = []
  const compare = ([made, values]: [Recipe, unknown[]]): void => {
    const mine = made.build(ours)
    const theirs = made.build(zod as never as Z)
    for (const value of values) {
      const expected = outcome(theirs, value)
      if (isDecided(made.text, value, expected)) continue
      compared++
      const received = outcome(mine, value)
      if (!same(received, expected) && differences.length < 8)
        differences.push({ schema: made.text, value, received, expected })
    }
  }
  fc.assert(
    fc.property(pairs, (pair) => compare(pair)),
    { numRuns: Math.ceil((RUNS * 1.1) / VALUES) },
  )
  expect(differences).toEqual([])
  expect(compared).toBeGreaterThanOrEqual(RUNS)
}, 400_000)
