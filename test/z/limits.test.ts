import * as z from 'sluice/zod3'
import { describe, expect, test } from 'vitest'

/** A value below so many objects. */
const deep = (levels: number): unknown => {
  let value: unknown = {}
  for (let level = 1; level < levels; level++) value = { next: value }
  return value
}

describe('F14: limits of recursive schemas are the same in parse and in parseAsync', () => {
  const schemas: readonly (readonly [string, z.AnySchema])[] = [
    ['through lazy', z.lazy(() => z.object({ next: schemas[0]![1].optional() }))],
    [
      'with more wrappers',
      z.lazy(() =>
        z.object({
          next: schemas[1]![1]
            .refine(() => true)
            .nullish()
            .readonly(),
        }),
      ),
    ],
  ]
  test.each(schemas)('%s: 500 levels are accepted, 501 are refused', async (_, schema) => {
    for (const levels of [500, 501]) {
      const here = schema.safeParse(deep(levels)).success
      const later = (await schema.safeParseAsync(deep(levels))).success
      expect({ levels, here, later }).toEqual({ levels, here: levels === 500, later: levels === 500 })
    }
  })

  test('of a value that is in a list many times, 1,000 issues are repeated; each further time is one issue', async () => {
    // One issue that has 24 others inside it
    const options = Array.from({ length: 24 }, (_, at) => z.literal(at) as z.AnySchema)
    const node: z.AnySchema = z.lazy(() =>
      z.object({ of: z.union(options as [z.AnySchema, z.AnySchema]), list: z.array(node).optional() }),
    )
    const shared = { of: 'wrong' }
    // After 250 visits, what recursive schemas found is remembered
    const list = [...Array.from({ length: 260 }, () => ({ of: 1 })), ...Array.from({ length: 60 }, () => shared)]
    for (const { error } of [node.safeParse({ of: 1, list }), await node.safeParseAsync({ of: 1, list })]) {
      const codes = error!.issues.map(({ code }) => code)
      expect({
        whole: codes.filter((code) => code === 'invalid_union').length,
        short: codes.filter((code) => code === 'custom').length,
      }).toEqual({ whole: 1 + 1000 / 25, short: 60 - 1 - 1000 / 25 })
    }
  })
})
