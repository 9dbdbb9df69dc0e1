import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { object as leanObject } from '../../src/z/object.ts'
import * as z from '../../src/zod3.ts'
import { runs } from '../fuzz.ts'

/** Count how often a parse reads a property of plain objects and arrays: its steps, without a clock. */
const counted = (value: unknown, count: () => void): unknown => {
  if (typeof value !== 'object' || value === null) return value
  const copy = Array.isArray(value) ? [] : {}
  for (const [key, inner] of Object.entries(value)) {
    const kept = counted(inner, count)
    Object.defineProperty(copy, key, {
      enumerable: true,
      get: () => {
        count()
        return kept
      },
    })
  }
  return copy
}

const stepsOf = (schema: z.AnySchema, value: unknown): number => {
  let steps = 0
  schema.safeParse(
    counted(value, () => {
      steps++
    }),
  )
  return steps
}

const chain = (depth: number, end: unknown = {}): unknown => {
  let value = end
  for (let level = 0; level < depth; level++) value = { a: value, b: level }
  return value
}

/** Recursive schemas whose alternatives look at the same values. */
const RECURSIVE: { readonly [name: string]: () => z.AnySchema } = {
  'two options of a union with the same child': () => {
    const node: z.AnySchema = z.lazy(() =>
      z.union([z.object({ a: node, t: z.literal('x') }), z.object({ a: node.optional(), b: z.number().optional() })]),
    )
    return node
  },
  'three options, none of which accepts the end': () => {
    const node: z.AnySchema = z.lazy(() =>
      z.union([z.object({ a: node, t: z.string() }), z.object({ a: node, u: z.string() }), z.object({ a: node })]),
    )
    return node
  },
  'both sides of an intersection': () => {
    const node: z.AnySchema = z.lazy(() =>
      z.object({ a: node.optional() }).and(z.object({ a: node.optional(), b: z.number().optional() })),
    )
    return node
  },
  'schemas that hold each other': () => {
    const one: z.AnySchema = z.lazy(() => z.union([z.object({ a: two }), z.object({ a: two, t: z.string() })]))
    const two: z.AnySchema = z.lazy(() => z.union([z.object({ a: one, u: z.string() }), z.object({ a: one })]))
    return one
  },
  'a getter in the shape': () => {
    const node: z.AnySchema = z.union([
      z.object({
        get a(): z.AnySchema {
          return node.or(z.object({ t: z.string() }))
        },
      }),
      z.object({
        get a(): z.AnySchema {
          return node
        },
        b: z.number(),
      }),
    ])
    return node
  },
}

describe('F14: the steps of a recursive schema grow with its input', () => {
  test.each(Object.entries(RECURSIVE))('%s: 4 times the depth, at most 6 times the steps', (_, make) => {
    const schema = make()
    // Up to 250 visits nothing is remembered; then each value is visited once.
    const [short, long] = [stepsOf(schema, chain(100)), stepsOf(schema, chain(400))]
    expect(short).toBeLessThan(20_000)
    expect(long / short).toBeLessThan(6)
  })

  test('101 bytes that took 7.6 seconds are answered in a bounded number of steps', () => {
    const text = `${'{"a":'.repeat(20)}1${'}'.repeat(20)}`
    expect(stepsOf(RECURSIVE['three options, none of which accepts the end']!(), JSON.parse(text))).toBeLessThan(5000)
  })

  test('the error of such a schema has a bounded size', () => {
    const { error } = RECURSIVE['three options, none of which accepts the end']!().safeParse(chain(60))
    expect(JSON.stringify(error!.issues).length).toBeLessThan(3_000_000)
  })

  test('parseAsync: as many steps, with user code that waits', async () => {
    let calls = 0
    const leaf = z.number().refine(async () => {
      calls++
      return true
    })
    const node: z.AnySchema = z.lazy(() =>
      z.union([z.object({ a: node, t: z.literal('x') }), z.object({ a: node.optional(), b: leaf.optional() })]),
    )
    const { success } = await z.safeParseAsync(node, chain(40))
    expect(success).toBe(true)
    expect(calls).toBeLessThan(4000)
  })

  /** Schemas that ask themselves about the value that they were given: nothing fits, and it must not take for ever. */
  const SELVES: { readonly [name: string]: () => z.AnySchema } = {
    'itself in both options of a union': () => {
      const self: z.AnySchema = z.lazy(() => z.union([self, self]))
      return self
    },
    'itself on both sides of an intersection': () => {
      const self: z.AnySchema = z.lazy(() => self.and(self))
      return self
    },
    'itself in three wrappers': () => {
      const self: z.AnySchema = z.lazy(() => z.union([self.optional(), self.nullable(), self.readonly()]))
      return self
    },
    'two that ask each other': () => {
      const one: z.AnySchema = z.lazy(() => z.union([two, two]))
      const two: z.AnySchema = z.lazy(() => z.union([one, one]))
      return one
    },
  }

  test.each(Object.entries(SELVES))('%s: an issue for a text, a number, a list', async (_, make) => {
    for (const value of ['x', 5, [1]]) {
      const schema = make()
      expect(schema.safeParse(value).success).toBe(false)
      expect((await schema.safeParseAsync(value)).success).toBe(false)
    }
  })

  test('random recursive schemas: twice the input, at most three times the steps', () => {
    const keys = fc.constantFrom('a', 'b', 'c')
    const field = fc.constantFrom('node', 'optional', 'array', 'number', 'literal')
    const option = fc.dictionary(keys, field, { minKeys: 1, maxKeys: 3, noNullPrototype: true })
    const build = (options: readonly { readonly [key: string]: string }[], both: boolean): z.AnySchema => {
      const node: z.AnySchema = z.lazy(() => made)
      const fields: { readonly [kind: string]: () => z.AnySchema } = {
        node: () => node,
        optional: () => node.optional(),
        array: () => z.array(node).or(node).optional(),
        number: () => z.number().optional(),
        literal: () => z.literal('x'),
      }
      const objects = options.map((shape) =>
        z.object(Object.fromEntries(Object.entries(shape).map(([key, kind]) => [key, fields[kind]!()]))),
      )
      const made: z.AnySchema = both
        ? objects.reduce<z.AnySchema>((left, right) => left.and(right) as never, z.any() as never)
        : (z.union([...objects, z.null()] as never) as never)
      return node
    }
    const input = (depth: number): unknown => {
      let value: unknown = null
      for (let level = 0; level < depth; level++) value = { a: value, b: value === null ? 1 : [level], c: 'x' }
      return value
    }
    fc.assert(
      fc.property(fc.array(option, { minLength: 1, maxLength: 3 }), fc.boolean(), (options, both) => {
        const [short, long] = [200, 400].map((depth) => stepsOf(build(options, both), input(depth)))
        expect(long! / Math.max(short!, 100)).toBeLessThan(3)
      }),
      { numRuns: runs(60, 4) },
    )
  })
})

describe('F14: recursion of any kind ends with an issue', () => {
  const deep = (depth: number, key = 'a'): unknown => {
    let value: unknown = {}
    for (let level = 0; level < depth; level++) value = { [key]: value }
    return value
  }
  const messages = (schema: z.AnySchema, value: unknown): Set<string> =>
    new Set(schema.safeParse(value).error?.issues.map(({ message }) => message))

  test.each<[string, () => z.AnySchema]>([
    [
      'mutual recursion through lazy',
      () => {
        const one: z.AnySchema = z.object({ a: z.lazy(() => two).optional() })
        const two: z.AnySchema = z.object({ a: z.lazy(() => three).optional() })
        const three: z.AnySchema = z.object({ a: z.lazy(() => one).optional() })
        return one
      },
    ],
    [
      'a getter',
      () => {
        const node: z.AnySchema = z.object({
          get a(): z.AnySchema {
            return node.optional()
          },
        })
        return node
      },
    ],
    [
      'forty wrappers around each level',
      () => {
        const node: z.AnySchema = z.lazy(() => {
          let inner: z.AnySchema = node.optional()
          for (let wrapper = 0; wrapper < 40; wrapper++) inner = inner.refine(() => true)
          return z.object({ a: inner })
        })
        return node
      },
    ],
  ])('%s: 20,000 levels are an issue, 100 are fine, and the schema works afterwards', async (_, make) => {
    const schema = make()
    expect(messages(schema, deep(20_000))).toEqual(new Set(['Nested too deeply, or circular']))
    expect(schema.safeParse(deep(100)).success).toBe(true)
    expect((await z.safeParseAsync(schema, deep(20_000))).success).toBe(false)
    expect((await z.safeParseAsync(schema, deep(100))).success).toBe(true)
  })

  test('F14: `{ get sub() { return array(C) } }` is parsed, described by its type, and refuses a circle', () => {
    const Category = z.object({
      name: z.string(),
      get sub(): z.AnySchema {
        return z.array(Category)
      },
    })
    const value = { name: 'a', sub: [{ name: 'b', sub: [] }] }
    expect(Category.parse(value)).toEqual(value)
    expect(Category.safeParse({ name: 'a', sub: [{ name: 1, sub: [] }] }).error?.issues[0]?.path).toEqual([
      'sub',
      0,
      'name',
    ])
    const circle: { name: string; sub: unknown[] } = { name: 'a', sub: [] }
    circle.sub.push(circle, circle)
    expect(messages(Category as never, circle)).toEqual(new Set(['Nested too deeply, or circular']))
  })

  test('a small schema holds a recursive one', () => {
    const node: z.AnySchema = z.object({ a: z.lazy(() => node).optional() })
    expect(leanObject({ node }).safeParse({ node: deep(20_000) }).error?.issues).toHaveLength(1)
  })
})
