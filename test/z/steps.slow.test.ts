import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from '../../src/zod3.ts'
import { compileHere } from './compile-here.ts'

/** Reads of leaves, and of what holds them: the steps of a parse, without a clock. */
let steps = 0

/** A list or object whose items are counted each time that they are read. */
const counted = <T extends object>(holder: T): T => {
  for (const [key, value] of Object.entries(holder)) {
    const get = (): unknown => {
      steps++
      return value
    }
    Object.defineProperty(holder, key, { enumerable: true, get })
  }
  return holder
}

const leaf = (value: unknown): object =>
  Object.defineProperty({ t: 'a' }, 'v', {
    enumerable: true,
    get: () => {
      steps++
      return value
    },
  })

const stepsOf = (schema: { safeParse(value: unknown): unknown }, value: unknown): number => {
  steps = 0
  schema.safeParse(value)
  return steps
}

const LEAF = z.object({ t: z.literal('a'), v: z.number() })
const OTHER = z.object({ t: z.literal('b'), v: z.string() })

/** A schema, and the value for it that holds another value. */
interface Kind {
  readonly around: (inner: z.AnySchema) => z.AnySchema
  readonly value: (inner: unknown) => unknown
}

const same = (value: unknown): unknown => value

const INNER: { readonly [name: string]: Kind } = {
  'the schema alone': { around: (inner) => inner, value: same },
  'a union': { around: (inner) => z.union([OTHER, z.tuple([inner]), inner]), value: same },
  'an intersection': { around: (inner) => z.intersection(inner, z.any()), value: same },
  'an intersection with itself': { around: (inner) => z.intersection(inner, inner), value: same },
  'a codec': { around: (inner) => z.codec(inner, z.any(), { decode: same, encode: same }), value: same },
  wrappers: { around: (inner) => inner.optional().nullable().default(null).readonly(), value: same },
  'a lazy schema': { around: (inner) => z.lazy(() => inner), value: same },
  'an object': { around: (inner) => z.object({ a: inner }), value: (a) => ({ a }) },
  'an object with further keys': { around: (inner) => z.object({}).catchall(inner), value: (a) => ({ a }) },
  'a discriminated union': {
    around: (inner) =>
      z.discriminatedUnion('t', [z.object({ t: z.literal('x'), a: inner }), z.object({ t: z.literal('y'), b: inner })]),
    value: (a) => ({ t: 'x', a }),
  },
  'an array': { around: (inner) => z.array(inner), value: (one) => [one] },
  'a tuple': { around: (inner) => z.tuple([inner]).rest(inner), value: (one) => [one, one] },
  'a record': { around: (inner) => z.record(inner), value: (a) => ({ a }) },
  'a map': { around: (inner) => z.map(z.string(), inner), value: (one) => new Map([['a', one]]) },
  'a set': { around: (inner) => z.set(inner), value: (one) => new Set([one]) },
}

const spread = (size: number, make: () => unknown): { [key: string]: unknown } =>
  Object.fromEntries(Array.from({ length: size }, (_, index) => [`k${index}`, make()]))

const list = (size: number, make: () => unknown): unknown[] => Array.from({ length: size }, make)

interface Wide {
  readonly around: (inner: z.AnySchema) => z.AnySchema
  readonly value: (size: number, make: () => unknown) => unknown
}

const WIDE: { readonly [name: string]: Wide } = {
  array: { around: (inner) => z.array(inner), value: list },
  tuple: { around: (inner) => z.tuple([inner]).rest(inner), value: list },
  record: { around: (inner) => z.record(inner), value: spread },
  'further keys': { around: (inner) => z.object({ k1: z.any() }).catchall(inner), value: spread },
  set: { around: (inner) => z.set(inner), value: (size, make) => new Set(list(size, make)) },
  map: {
    around: (inner) => z.map(z.string(), inner),
    value: (size, make) => new Map(Object.entries(spread(size, make))),
  },
  'a list of a union of lists': { around: (inner) => z.union([z.array(OTHER), z.array(inner)]), value: list },
  'both sides of an intersection': { around: (inner) => z.array(inner).and(z.array(inner)), value: list },
}

const inners = fc.array(fc.constantFrom(...Object.keys(INNER)), { maxLength: 4 })

const wrapped = (names: readonly string[], from: z.AnySchema): z.AnySchema =>
  names.reduce((inner, name) => INNER[name]!.around(inner), from)

const filled = (names: readonly string[], from: unknown): unknown =>
  names.reduce((inner: unknown, name) => INNER[name]!.value(inner), from)

describe('the steps of every schema without user code grow with its input', () => {
  test('random schemas: 4 times as many items, at most 5 times the steps', () => {
    const property = fc.property(
      fc.constantFrom(...Object.keys(WIDE)),
      inners,
      fc.constantFrom<unknown>(1, 'wrong'),
      fc.boolean(),
      (name, names, value, isCompiled) => {
        const { around, value: make } = WIDE[name]!
        const interpreted = around(wrapped(names, LEAF))
        const schema = isCompiled ? compileHere(interpreted).schema : interpreted
        const [few, many] = [50, 200].map((size) =>
          stepsOf(schema, counted(make(size, () => filled(names, leaf(value))) as object)),
        )
        expect(few).toBeGreaterThan(0)
        expect(many! / few!).toBeLessThan(5)
      },
    )
    fc.assert(property, { numRuns: 100 })
  })

  const recursive = (names: readonly string[], ways: number): z.AnySchema => {
    const node: z.AnySchema = z.lazy(() => made)
    const options = list(ways, () => z.object({ next: wrapped(names, node), v: z.any() })) as [z.AnySchema, z.AnySchema]
    const made: z.AnySchema = z.union([LEAF, ...options])
    return node
  }
  const nested = (names: readonly string[], depth: number, end: unknown): unknown => {
    let value = end
    for (let level = 0; level < depth; level++)
      value = Object.defineProperty(leaf(1), 'next', { value: filled(names, value), enumerable: true })
    return value
  }

  test('random recursive schemas: twice the depth, at most 3 times the steps', () => {
    const property = fc.property(
      inners.filter((names) => !names.includes('a tuple')),
      fc.integer({ min: 1, max: 3 }),
      fc.constantFrom<unknown>(1, 'wrong'),
      fc.boolean(),
      (names, ways, value, isCompiled) => {
        const interpreted = z.object({ next: recursive(names, ways) })
        const schema = isCompiled ? compileHere(interpreted).schema : interpreted
        const [short, long] = [80, 160].map((depth) => stepsOf(schema, { next: nested(names, depth, leaf(value)) }))
        expect(long! / Math.max(short!, 2000)).toBeLessThan(3)
      },
    )
    fc.assert(property, { numRuns: 40 })
  })

  test.each(Object.keys(INNER))('%s in a recursive schema: 20,000 levels are an issue, 50 are fine', async (name) => {
    const schema = recursive([name], 1)
    const value = (levels: number): unknown => {
      let made: unknown = { t: 'a', v: 1 }
      // Not `filled` twice for tuples: the value would double
      for (let level = 0; level < levels; level++) made = { next: name === 'a tuple' ? [made] : filled([name], made) }
      return made
    }
    expect(schema.safeParse(value(50)).success).toBe(true)
    expect(schema.safeParse(value(20_000)).success).toBe(false)
    expect((await z.safeParseAsync(schema, value(20_000))).success).toBe(false)
  })
})
