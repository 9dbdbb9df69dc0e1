import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { z as zod } from 'zod/v3'
import * as z from '../../src/zod3.ts'
import { runs } from '../fuzz.ts'
import { isDecided, outcome, plainResult, same } from './compare.ts'
import { recipe, valuesFor, type Z } from './recipes.ts'

const later = <T>(value: T, ms = 1): Promise<T> => new Promise((resolve) => setTimeout(resolve, ms, value))

describe('V16, V17: promises', () => {
  test('V16: a synchronous parse that meets a promise says so', () => {
    const schema = z.string().refine(async () => true)
    expect(() => schema.safeParse('x')).toThrow('A promise in a synchronous parse: use parseAsync')
    expect(() =>
      z
        .string()
        .transform(async (text) => text)
        .parse('x'),
    ).toThrow('parseAsync')
  })

  test.each<[string, (z: Z) => z.AnySchema, unknown]>([
    ['a promise of refine that passes', (z) => z.string().refine((text) => later(text === 'x')), 'x'],
    ['a promise of refine that fails', (z) => z.string().refine((text) => later(text === 'x'), 'No'), 'y'],
    [
      'transform after a promise that fails',
      (z) =>
        z
          .string()
          .refine(() => later(false))
          .transform(() => 1),
      'y',
    ],
    ['a promise of transform', (z) => z.string().transform((text) => later(text.length)), 'abc'],
    [
      'one transform after the other',
      (z) =>
        z
          .string()
          .transform((text) => later(text.length))
          .transform((n) => later(n * 2)),
      'abc',
    ],
    ['a promise of preprocess', (z) => z.preprocess((value) => later(String(value)), z.string()), 5],
    [
      'issues that are added late',
      (z) =>
        z.object({
          a: z.string().superRefine(async (_, ctx) => {
            await later(0)
            ctx.addIssue({ code: 'custom', message: 'late', path: ['deep'] })
          }),
        }),
      { a: 'x' },
    ],
    [
      'a fatal issue that is added late',
      (z) =>
        z
          .string()
          .superRefine(async (_, ctx) => {
            await later(0)
            ctx.addIssue({ code: 'custom', message: 'late', fatal: true })
          })
          .refine(() => false, 'never asked'),
      'x',
    ],
    [
      'the first option of a union that fits',
      (z) => z.union([z.string().refine(() => later(false)), z.string().transform((s) => later(`${s}!`))]),
      'x',
    ],
    [
      'no option of a union',
      (z) => z.object({ a: z.union([z.number(), z.string().refine(() => later(false), 'No')]) }),
      { a: true },
    ],
    [
      'an intersection',
      (z) =>
        z
          .object({ a: z.string() })
          .transform((v) => later(v))
          .and(z.object({ b: z.string() })),
      { a: 'x', b: 'y' },
    ],
    [
      'items of arrays, sets, maps, records, tuples',
      (z) => {
        const item = z.number().transform((n) => later(n + 1))
        return z.tuple([z.array(item), z.set(item), z.map(z.string(), item), z.record(item)])
      },
      [[1, 2], new Set([1]), new Map([['a', 1]]), { b: 1 }],
    ],
    [
      'catch after a promise',
      (z) =>
        z
          .string()
          .refine(() => later(false))
          .catch('caught'),
      'x',
    ],
    [
      'default before a promise',
      (z) =>
        z
          .string()
          .default('none')
          .transform((text) => later(text)),
      undefined,
    ],
    [
      'pipe after a promise',
      (z) =>
        z
          .string()
          .transform((text) => later(text.length))
          .pipe(z.number().min(5)),
      'abc',
    ],
    [
      'a recursive schema',
      (z) => {
        const node: z.AnySchema = z.object({
          n: z.number().refine((n) => later(n > 0)),
          next: z.lazy(() => node).optional(),
        })
        return node
      },
      { n: 1, next: { n: 2, next: { n: 0 } } },
    ],
    [
      'a discriminated union',
      (z) => z.discriminatedUnion('t', [z.object({ t: z.literal('a'), v: z.string().transform((s) => later(s)) })]),
      { t: 'a', v: 'x' },
    ],
  ])('%s: as zod 3', async (_, build, value) => {
    const expected = plainResult(
      await (build(zod as never as Z) as never as { safeParseAsync: (v: unknown) => Promise<unknown> }).safeParseAsync(
        value,
      ),
    )
    expect(plainResult(await z.safeParseAsync(build(z as never as Z), value))).toEqual(expected)
  })

  test('user code runs once for each value, however often its surroundings wait', async () => {
    const calls: string[] = []
    const note = <T>(name: string, value: T): Promise<T> => {
      calls.push(name)
      return later(value)
    }
    const schema = z
      .object({
        a: z.string().default(() => {
          calls.push('default')
          return 'a'
        }),
        b: z
          .string()
          .transform((text) => note('transform', text))
          .refine((text) => note('refine', text !== '')),
      })
      .superRefine(() => note('whole', undefined))
    expect(await z.parseAsync(schema, { b: 'x' })).toEqual({ a: 'a', b: 'x' })
    expect(calls.sort()).toEqual(['default', 'refine', 'transform', 'whole'])
  })

  test('independent promises wait at the same time', async () => {
    let open = 0
    let most = 0
    const slow = z.number().refine(async () => {
      open++
      most = Math.max(most, open)
      await later(0, 5)
      open--
      return true
    })
    await z.parseAsync(
      z.array(slow),
      Array.from({ length: 50 }, (_, index) => index),
    )
    expect(most).toBe(50)
  })

  test('parseAsync rejects with a ValidationError that has a stack', async () => {
    const error = await z.parseAsync(z.string(), 1).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(z.ValidationError)
    expect((error as Error).stack).toContain('at ')
  })

  test('an error of user code rejects, and what is still running does not go unheard', async () => {
    const schema = z.object({
      a: z.string().refine(() => later(0).then(() => Promise.reject(new Error('first')))),
      b: z.string().refine(() => later(0, 5).then(() => Promise.reject(new Error('second')))),
      get: z.lazy(() => z.string()),
    })
    await expect(z.parseAsync(schema, { a: 'x', b: 'y', get: 'z' })).rejects.toThrow('first')
    await later(0, 10)
    const bad = {
      a: 'x',
      b: 'y',
      get get() {
        throw new Error('getter')
      },
    }
    await expect(z.parseAsync(schema, bad)).rejects.toThrow('getter')
    await later(0, 10)
  })

  test('toAsync: its Standard Schema waits', async () => {
    const {
      '~standard': standard,
      parse,
      safeParse,
    } = z.toAsync(z.string().refine((text) => later(text === 'x'), 'No'))
    expect(await standard.validate('x')).toEqual({ value: 'x' })
    expect(await standard.validate('y')).toMatchObject({ issues: [{ message: 'No', path: [] }] })
    expect(await parse('x')).toBe('x')
    expect(await safeParse('y')).toMatchObject({ success: false })
  })

  test('cycles end and depth has a bound, when promises wait on the way too', async () => {
    const node: z.Schema<unknown> = z.object({ next: z.lazy(() => node).optional() }).refine(() => later(true, 0))
    const circle: { next?: unknown } = {}
    circle.next = { next: circle }
    const closed = await z.safeParseAsync(node, circle)
    expect(closed.error?.issues[0]?.message).toBe('Nested too deeply, or circular')
    let deep: unknown = {}
    for (let depth = 0; depth < 10_000; depth++) deep = { next: deep }
    const result = await z.safeParseAsync(node, deep)
    expect(result.error?.issues[0]).toMatchObject({ code: 'custom', message: 'Nested too deeply, or circular' })
  })

  test('issues inside of unions are not copied at each level on the way up', async () => {
    let deep: unknown = 1
    for (let depth = 0; depth < 600; depth++) deep = [deep]
    const slice = vi.spyOn(Array.prototype, 'slice')
    const result = await z.json().safeParseAsync(deep)
    const copies = slice.mock.calls.length
    slice.mockRestore()
    expect(result.success).toBe(false)
    expect(copies).toBeLessThan(20_000)
  })

  test('F14: issues of a recursive intersection do not double at each level', async () => {
    const side = z.lazy(() => z.object({ a: node.optional() }).refine(async () => true))
    const node: z.AnySchema = z.lazy(() => side.and(side))
    let deep: unknown = { a: 1 }
    for (let depth = 0; depth < 16; depth++) deep = { a: deep }
    const { error } = await node.safeParseAsync(deep)
    expect(error!.issues.length).toBeLessThan(3000)
    const answer = await node['~standard'].validate(deep)
    expect(answer.issues!.length).toBeLessThan(3000)
    const { error: ofUnion } = await node.or(node).safeParseAsync(deep)
    expect(JSON.stringify(ofUnion!.issues).length).toBeLessThan(1_000_000)
  })

  const shared = (depth: number): unknown =>
    Array.from({ length: depth }).reduce((value) => ({ kids: [value, value] }), { kids: [] })
  const ring = (size: number): unknown => {
    const all: { kids: unknown[] }[] = Array.from({ length: size }, () => ({ kids: [] }))
    for (const one of all) one.kids.push(...all)
    return all[0]
  }
  const Getter = z.object({
    get kids(): z.AnySchema {
      return z.array(Getter).refine(() => later(true, 0))
    },
  })
  const Lazy: z.AnySchema = z.lazy(() => z.object({ kids: z.array(Lazy).refine(() => later(true, 0)) }))
  const Union: z.AnySchema = z.lazy(() => z.union([z.object({ kids: z.array(Union), n: z.number() }), Lazy]))
  const schemas = [Getter, Lazy, Union].map((schema, index) => [['getters', 'lazy', 'unions'][index]!, schema] as const)

  test.each(schemas)(
    'F14: a value that is in many places is asked a few times, not each time: %s',
    async (_, schema) => {
      const { success } = await schema.safeParseAsync(shared(100))
      expect(success).toBe(true)
    },
  )

  test.each(schemas)(
    'F14: values that all hold each other are an issue, and nothing waits for ever: %s',
    async (_, schema) => {
      const { error } = await schema.safeParseAsync(ring(12))
      expect(JSON.stringify(error!.issues)).toContain('Nested too deeply, or circular')
    },
  )
})

const RUNS = Number(process.env.Z_RUNS ?? runs(2000, 10))

test('V16: schemas without promises give in parseAsync what they give in parse', async () => {
  const pairs = recipe.chain((made) =>
    fc.tuple(fc.constant(made), fc.array(valuesFor(made), { minLength: 5, maxLength: 5 })),
  )
  await fc.assert(
    fc.asyncProperty(pairs, async ([made, values]) => {
      const schema = made.build(z)
      for (const value of values) {
        const expected = outcome(schema, value)
        if (isDecided('', value, expected)) continue
        const received = plainResult(await z.safeParseAsync(schema, value))
        if (!same(received, expected))
          expect({ schema: made.text, value, received }).toEqual({ schema: made.text, value, received: expected })
      }
    }),
    { numRuns: RUNS },
  )
}, 120_000)
