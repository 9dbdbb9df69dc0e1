import { expect, test } from 'vitest'
import * as mini from '../../src/z/mini.ts'
import * as z from '../../src/z.ts'
import * as zod3 from '../../src/zod3.ts'

const day = (date: number): Date => new Date(Date.UTC(2024, 0, date))

/** Schemas of the doors that have the methods, a value on the limit, the next one behind it, and the issue of that. */
const rows = [
  ['string().min(2)', (door) => door.string().min(2), 'ab', 'a', 'too_small'],
  ['string().max(2)', (door) => door.string().max(2), 'ab', 'abc', 'too_big'],
  ['string().length(2)', (door) => door.string().length(2), 'ab', 'abc', 'too_big'],
  ['number().min(2)', (door) => door.number().min(2), 2, 1.9, 'too_small'],
  ['number().max(2)', (door) => door.number().max(2), 2, 2.1, 'too_big'],
  ['number().gt(2)', (door) => door.number().gt(2), 2.1, 2, 'too_small'],
  ['number().lt(2)', (door) => door.number().lt(2), 1.9, 2, 'too_big'],
  ['number().multipleOf(0.1)', (door) => door.number().multipleOf(0.1), 0.3, 0.35, 'not_multiple_of'],
  ['bigint().min(2n)', (door) => door.bigint().min(2n), 2n, 1n, 'too_small'],
  ['date().min()', (door) => door.date().min(day(2)), day(2), day(1), 'too_small'],
  ['date().max()', (door) => door.date().max(day(2)), day(2), day(3), 'too_big'],
  ['array().min(1)', (door) => door.array(door.any()).min(1), [0], [], 'too_small'],
  ['array().max(1)', (door) => door.array(door.any()).max(1), [0], [0, 0], 'too_big'],
  ['set().max(1)', (door) => door.set(door.any()).max(1), new Set([0]), new Set([0, 1]), 'too_big'],
] as const satisfies readonly (readonly [string, (door: any) => z.AnySchema, unknown, unknown, string])[] // any: three doors

const outcome = (schema: z.AnySchema, value: unknown) => {
  const { success, error } = schema.safeParse(value)
  return { success, codes: error?.issues.map(({ code }) => code) ?? [] }
}

test.each(rows.flatMap((row) => [['sluice/z', z, ...row] as const, ['sluice/zod3', zod3, ...row] as const]))(
  'L8: %s: %3$s accepts its limit and refuses what is behind it',
  (_, door, __, schemaOf, on, behind, code) => {
    const schema = schemaOf(door)
    expect(outcome(schema, on)).toEqual({ success: true, codes: [] })
    expect(outcome(schema, behind)).toEqual({ success: false, codes: [code] })
  },
)

test.each([
  ['minLength(2)', mini.string(mini.minLength(2)), 'ab', 'a'],
  ['maxLength(2)', mini.string(mini.maxLength(2)), 'ab', 'abc'],
])('L8: sluice/z/mini: %s accepts its limit and refuses what is behind it', (_, schema, on, behind) => {
  expect({ on: schema.safeParse(on).success, behind: schema.safeParse(behind).success }).toEqual({
    on: true,
    behind: false,
  })
})

test.each<[string, z.AnySchema, unknown, string[]]>([
  ['a smaller min after a larger one', z.array(z.any()).min(3).min(1), [0], []],
  ['a larger min after a smaller one, which reports once', z.array(z.any()).min(1).min(3), [], ['too_small']],
  ['a larger max after a smaller one', z.array(z.any()).max(1).max(3), [0, 0], []],
  ['max after min, which stays', z.array(z.any()).min(2).max(3), [0], ['too_small']],
  ['min after max, which stays', z.array(z.any()).max(1).min(1), [0, 0], ['too_big']],
  ['a length after min', z.array(z.any()).min(2).length(1), [], ['too_small', 'too_small']],
  ['a smaller min of a set after a larger one', z.set(z.any()).min(2).min(1), new Set([0]), []],
  ['a size after min', z.set(z.any()).min(3).size(1), new Set([0]), []],
])('L8: %s', (_, schema, value, codes) => {
  expect(outcome(schema, value).codes).toEqual(codes)
})
