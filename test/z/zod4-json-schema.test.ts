import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as zod from 'zod'
import * as z from '../../src/zod3.ts'

/** The names that both libraries have. */
type Library = typeof z

/** Chooses a number below the given one; two of the same seed choose the same. */
const chooser = (seed: number): ((below: number) => number) => {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff
    return (state >> 8) % below
  }
}

/** `any()` is left out: in zod 3 and here its key may be missing, in zod 4 not. */
const leaves = (z: Library): readonly (() => z.AnySchema)[] => [
  () => z.string(),
  () => z.string().min(2),
  () => z.string().max(2).startsWith('a'),
  () => z.string().regex(/^[a-c]+$/),
  () => z.int(),
  () => z.number().min(1),
  () => z.number().max(5).gt(-1),
  () => z.number().multipleOf(1.5),
  () => z.boolean(),
  () => z.null(),
  () => z.literal('a'),
  () => z.literal(1),
  () => z.enum(['a', 'abc']),
]

const random = (z: Library, depth: number, choose: (below: number) => number): z.AnySchema => {
  const one = (): z.AnySchema => random(z, depth - 1, choose)
  const tagged = (tag: string): z.AnyZodObject => z.object({ t: z.literal(tag), v: one() })
  const nodes: readonly (() => z.AnySchema)[] = [
    () => z.array(one()).min(1).max(2),
    () => z.object({ a: one(), b: one().optional() }),
    () => z.strictObject({ a: one() }),
    () => z.looseObject({ a: one() }),
    () => z.object({ a: one() }).catchall(one()),
    () => z.union([one(), one()]),
    () => one().nullable(),
    () => z.tuple([one()]).rest(one()),
    () => z.record(z.string(), one()),
    () => z.discriminatedUnion('t', [tagged('p'), tagged('q')]),
  ]
  const from = depth > 0 && choose(3) ? nodes : leaves(z)
  return from[choose(from.length)]!()
}

const VALUES: readonly unknown[] = [
  ...['', 'a', 'abc', 'ABC', 0, 1, -1, 1.5, 7, true, null],
  ...[[], ['a'], [1, 2, 3], ['a', 1], [[]], [null]],
  ...[{}, { a: 1 }, { a: 'x', b: 2 }, { a: 'x', b: 2, c: null }, { t: 'p', v: 1 }, { t: 'q', v: 'x' }],
]

describe('issue 11: JSON Schema of zod 4 and of sluice/z', () => {
  test('both documents of a random schema accept, in ajv, what zod 4 accepts', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 0x7fffffff }), (seed) => {
        const theirs = random(zod as unknown as Library, 2, chooser(seed))
        const ours = random(z, 2, chooser(seed))
        const documents = [zod.toJSONSchema(theirs as never, { io: 'input' }), z.toJSONSchema(ours, { io: 'input' })]
        const readers = documents.map((document) => new Ajv2020({ strict: false }).compile(document))
        for (const value of VALUES) {
          const { success } = theirs.safeParse(value)
          for (const accepts of [...readers, (input: unknown) => ours.safeParse(input).success])
            expect(accepts(value), JSON.stringify([documents, value])).toBe(success)
        }
      }),
      { numRuns: 300 },
    )
  })
})
