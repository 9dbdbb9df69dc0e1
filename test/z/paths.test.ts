import { describe, expect, test } from 'vitest'
import { z as zod } from 'zod/v3'
import * as z from '../../src/zod3.ts'

/** A schema of both libraries. */
type Both = [z.AnySchema, zod.ZodTypeAny]

const shapes = (of: typeof z | typeof zod): unknown =>
  (of as typeof z).object({
    name: (of as typeof z).string(),
    age: (of as typeof z).number().int().min(1),
    note: (of as typeof z).string().trim().optional(),
    ok: (of as typeof z).boolean(),
  })

const both = [shapes(z), shapes(zod)] as Both

class Person {
  name = 'Ada'
  ok = true
  get age(): number {
    return 36
  }
}

describe('V13: an object gives the same, however its input came to have its keys', () => {
  test.each<[string, () => object]>([
    ['in the order of the shape', () => ({ name: 'a', age: 1, note: ' b ', ok: true })],
    ['in another order', () => ({ ok: true, note: ' b ', age: 1, name: 'a' })],
    ['with others before, between and after', () => ({ x: 1, name: 'a', y: 2, age: 1, z: 3, ok: true, more: 4 })],
    ['without the optional one', () => ({ name: 'a', age: 1, ok: true })],
    ['with `undefined` for the optional one', () => ({ name: 'a', age: 1, note: undefined, ok: true })],
    ['without the first', () => ({ age: 1, ok: true })],
    ['none', () => ({})],
    ['with symbols', () => ({ [Symbol('s')]: 1, name: 'a', age: 1, ok: true })],
    ['with getters of a class', () => new Person()],
    ['inherited', () => Object.create({ name: 'a', age: 1, ok: true })],
    ['without a prototype', () => Object.assign(Object.create(null), { name: 'a', age: 1, ok: true })],
    ['hidden from loops', () => Object.defineProperty({ age: 1, ok: true }, 'name', { value: 'a' })],
    ['one of them `constructor`', () => ({ constructor: 'x', name: 'a', age: 1, ok: true })],
    ['one of them `__proto__`', () => JSON.parse('{"__proto__":{"ok":true},"name":"a","age":1}') as object],
    ['with a wrong type first', () => ({ name: 1, age: 1, ok: true })],
    ['with a failed check', () => ({ name: 'a', age: 0.5, ok: true })],
    ['with NaN', () => ({ name: 'a', age: Number.NaN, ok: true })],
  ])('%s', (_, make) => {
    const [ours, theirs] = both.map((schema) => schema.safeParse(make())) as [
      ReturnType<z.AnySchema['safeParse']>,
      ReturnType<zod.ZodTypeAny['safeParse']>,
    ]
    expect(ours.success).toBe(theirs.success)
    expect(ours.error?.issues).toEqual(theirs.error?.issues)
    expect(ours.data).toStrictEqual(theirs.data)
    expect(Reflect.ownKeys(ours.data ?? {})).toEqual(Reflect.ownKeys(theirs.data ?? {}))
    expect(Object.getPrototypeOf(ours.data ?? {})).toBe(Object.prototype)
  })

  test('the input stays as it was, and the output is another object each time', () => {
    const input = Object.freeze({ name: 'a', age: 1, ok: true })
    const [one, other] = [both[0].parse(input), both[0].parse(input)]
    expect(one).not.toBe(input)
    expect(one).not.toBe(other)
  })
})

describe('V12: a union asks plain options no later than the others', () => {
  test.each<[string, (of: typeof z) => z.AnySchema, unknown]>([
    ['a failed check keeps the value', (of) => of.union([of.string().min(5), of.number()]), 'abc'],
    ['a later option accepts what a check refused', (of) => of.union([of.string().min(5), of.string()]), 'abc'],
    ['the first that accepts wins', (of) => of.union([of.string().transform(() => 1), of.string()]), 'a'],
    ['the plain one before it wins', (of) => of.union([of.string(), of.string().transform(() => 1)]), 'a'],
    ['all issues, in the order of the options', (of) => of.union([of.string(), of.object({}), of.number()]), true],
    ['coerced values', (of) => of.union([of.coerce.number(), of.string()]), '5'],
    ['NaN is no number', (of) => of.union([of.number(), of.boolean()]), Number.NaN],
  ])('%s', (_, make, value) => {
    const ours = make(z).safeParse(value)
    const theirs = (make(zod as never) as unknown as zod.ZodTypeAny).safeParse(value)
    expect(ours.success).toBe(theirs.success)
    expect(ours.data).toStrictEqual(theirs.data)
    expect(JSON.parse(JSON.stringify(ours.error?.issues ?? []))).toMatchObject(
      (theirs.error?.issues ?? []).map(({ code, path, message }) => ({ code, path, message })),
    )
    const branches = (issues: readonly object[] = []) =>
      issues.flatMap((issue) => ('unionErrors' in issue ? (issue.unionErrors as zod.ZodError[]) : []))
    expect(branches(ours.error?.issues).map(({ issues }) => issues)).toEqual(
      branches(theirs.error?.issues).map(({ issues }) => issues),
    )
  })
})

test('V14: holes of an array are missing items, and the output has none', () => {
  const holes = new Array<string>(2)
  expect(z.array(z.string().optional()).parse(holes)).toStrictEqual([undefined, undefined])
  expect(
    z
      .array(z.string())
      .safeParse(holes)
      .error?.issues.map(({ path }) => path),
  ).toEqual([[0], [1]])
})

test('V14: changed items do not change the input', () => {
  const input = ['a ', 'b', ' c']
  expect(z.array(z.string().trim()).parse(input)).toEqual(['a', 'b', 'c'])
  expect(input).toEqual(['a ', 'b', ' c'])
})
