import { describe, expect, test } from 'vitest'
import { number } from '../../src/z/number.ts'
import { promise } from '../../src/z/promise.ts'
import { string } from '../../src/z/string.ts'
import { tuple } from '../../src/z/tuple.ts'
import * as z from '../../src/zod3.ts'
import { function as functionOf } from '../../src/zod3.ts'

/** The issue of what a call throws. */
const issueOf = (call: () => unknown): z.Issue | undefined => {
  try {
    call()
  } catch (error) {
    return (error as z.ValidationError).issues[0]
  }
  return undefined
}

describe.each([
  ['sluice/zod3', z.function, z.tuple, z.string, z.number, z.promise],
  ['the modules of sluice/z', functionOf, tuple, string, number, promise],
] as unknown as [string, typeof functionOf, typeof tuple, typeof string, typeof number, typeof promise][])(
  'issue 11: functions of %s',
  (_, functionOf, tuple, string, number, promise) => {
    const lengthOf = functionOf(tuple([string()]), number())
    const waiting = functionOf([string()], promise(number()))

    test.each(['implement', 'strictImplement', 'validate'] as const)(
      '%s checks what goes in and what comes out',
      (name) => {
        const good = lengthOf[name](((text: string) => text.length) as never) as (...given: unknown[]) => unknown
        expect(good('abc')).toBe(3)
        expect(issueOf(() => good(1))).toMatchObject({
          code: 'invalid_arguments',
          message: 'Invalid function arguments',
          argumentsError: { issues: [{ code: 'invalid_type', path: [0] }] },
        })
        expect(issueOf(() => good('a', 'b'))).toMatchObject({ code: 'invalid_arguments' })
        const bad = lengthOf[name]((() => 'x') as never) as (...given: unknown[]) => unknown
        expect(issueOf(() => bad('abc'))).toMatchObject({
          code: 'invalid_return_type',
          message: 'Invalid function return type',
          returnTypeError: { issues: [{ code: 'invalid_type', path: [] }] },
        })
      },
    )

    test('without schemas everything goes in and comes out', () => {
      const any = functionOf().implement(((...given: unknown[]) => given) as never) as (...given: unknown[]) => unknown
      expect(any(1, 'a')).toEqual([1, 'a'])
    })

    test('a list of arguments takes more; a tuple does not', () => {
      const sum = functionOf([number()]).implement(((...given: number[]) => given.length) as never) as (
        ...given: unknown[]
      ) => unknown
      expect(sum(1, 2, 3)).toBe(3)
      expect(issueOf(() => sum())).toMatchObject({ code: 'invalid_arguments' })
    })

    test('args and returns replace what was there, and tell it', () => {
      const made = functionOf().args(number()).returns(string())
      expect(made.parameters().safeParse([1]).success).toBe(true)
      expect(made.parameters().safeParse(['a']).success).toBe(false)
      expect(made.returnType().safeParse('a').success).toBe(true)
      expect((made.implement(((n: number) => `${n}`) as never) as (n: unknown) => unknown)(1)).toBe('1')
    })

    test('parse wraps a function and refuses what is none', () => {
      expect((lengthOf.parse((text: string) => text.length) as (text: string) => number)('ab')).toBe(2)
      expect(lengthOf.safeParse(1).error?.issues[0]).toMatchObject({ code: 'invalid_type', expected: 'function' })
      const told = functionOf(tuple([]), undefined, { invalid_type_error: 'No function' })
      expect(told.safeParse(1).error?.issues[0]?.message).toBe('No function')
    })

    test('a function that returns a promise is awaited, and so are its checks', async () => {
      const good = waiting.implement((async (text: string) => text.length) as never) as (
        text: unknown,
      ) => Promise<number>
      expect(await good('abc')).toBe(3)
      await expect(good(1)).rejects.toMatchObject({ issues: [{ code: 'invalid_arguments' }] })
      const bad = waiting.implement((async () => 'x') as never) as (text: unknown) => Promise<number>
      await expect(bad('a')).rejects.toMatchObject({ issues: [{ code: 'invalid_return_type' }] })
      const broken = waiting.implement((() => Promise.reject(new RangeError('own'))) as never)
      await expect((broken as (text: unknown) => unknown)('a')).rejects.toThrow(RangeError)
    })

    test('`this` is passed on', () => {
      const made = functionOf().implement(function (this: { n: number }) {
        return this.n
      } as never) as (this: unknown) => unknown
      expect(made.call({ n: 5 })).toBe(5)
    })

    test("zod 4's object of input and output: the arguments are exactly these", () => {
      const made = functionOf({ input: [string()], output: number() } as never)
      const size = made.implement(((text: string) => text.length) as never) as (...args: unknown[]) => unknown
      expect(size('abc')).toBe(3)
      for (const args of [[], [1], ['a', 'b']]) expect(() => size(...args)).toThrow('Invalid function arguments')
      const broken = functionOf({ output: number() } as never).implement((() => 'x') as never) as () => unknown
      expect(broken).toThrow('Invalid function return type')
      const schema = functionOf({ input: tuple([string()]).rest(number()) } as never)
      const rest = schema.implement(((...all: unknown[]) => all) as never) as (...args: unknown[]) => unknown
      expect(rest('a', 1, 2)).toEqual(['a', 1, 2])
    })
  },
)
