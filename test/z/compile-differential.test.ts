import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as z from '../../src/zod3.ts'
import { runs } from '../fuzz.ts'
import { type Loose, outcome } from './compare.ts'
import { compileHere } from './compile-here.ts'
import { recipe, valuesFor } from './recipes.ts'

const VALUES = 50
const ALL = 1_000_000

/** The names of all keys, in their order. */
const orderOf = (value: unknown): unknown => {
  if (value instanceof Map || value instanceof Set) return [...value].map(orderOf)
  if (typeof value !== 'object' || value === null) return 0
  return Object.entries(value).map(([key, inner]) => [key, orderOf(inner)])
}

const pairs = recipe.chain((made) =>
  fc.tuple(fc.constant(made), fc.array(valuesFor(made), { minLength: VALUES, maxLength: VALUES })),
)

test(`FX4: random schemas, compiled, give the results and the issues of the interpreter, over ${ALL} values in the slow project`, () => {
  let accepted = 0
  let compiled = 0
  const compare = (plain: never, made: never, values: readonly unknown[]): void => {
    for (const value of values) {
      const expected: Loose = outcome(plain, value)
      const received: Loose = outcome(made, value)
      if (expected.success) accepted++
      if (!isDeepStrictEqual(received, expected) || !isDeepStrictEqual(orderOf(received), orderOf(expected)))
        expect({ value, received, order: orderOf(received) }).toEqual({
          value,
          received: expected,
          order: orderOf(expected),
        })
    }
  }
  fc.assert(
    fc.property(pairs, ([made, values]) => {
      const { schema, text } = compileHere(made.build(z))
      if (text) compiled++
      compare(made.build(z) as never, schema as never, values)
    }),
    { numRuns: runs(ALL / VALUES) },
  )
  // The values are not all refused, and the compiler does not step aside.
  expect(accepted).toBeGreaterThan((runs(ALL / VALUES) * VALUES) / 10)
  expect(compiled).toBeGreaterThan(runs(ALL / VALUES) / 2)
}, 900_000)
