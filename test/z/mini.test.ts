import { describe, expect, expectTypeOf, test } from 'vitest'
import { keyof } from '../../src/z/keyof.ts'
import * as mini from '../../src/z/mini.ts'
import { object } from '../../src/z/object.ts'
import * as z from '../../src/z.ts'

const small = mini.object({
  name: mini.string(mini.minLength(2), mini.maxLength(4), mini.regex(/^a/)),
  email: mini.optional(mini.string(mini.email())),
  age: mini.nullable(mini.number(mini.integer(), mini.minValue(1), mini.maxValue(9))),
  active: mini.boolean(),
  tags: z.array(z.string()),
})
const full = z.object({
  name: z.string().min(2).max(4).regex(/^a/),
  email: z.string().email().optional(),
  age: z.number().int().min(1).max(9).nullable(),
  active: z.boolean(),
  tags: z.array(z.string()),
})

describe('sluice/z/mini: the same rules without the chain', () => {
  test.each([
    [{ name: 'abc', age: 3, active: true, tags: ['x'], more: 1 }],
    [{ name: 'abc', email: 'ada@x.io', age: null, active: false, tags: [] }],
    [{ name: 'x', email: 'x', age: 1.5, active: 'true', tags: [1] }],
    [{ name: 'xxxxx', email: 1, age: 10 }],
    [{ age: 0 }],
    [null],
    [[]],
  ])('%j: as the schema with the chain', (value) => {
    const [mine, theirs] = [small.safeParse(value), full.safeParse(value)]
    expect(mine.data).toEqual(theirs.data)
    expect(mine.error?.issues).toEqual(theirs.error?.issues)
  })

  test('types, messages, parse and Standard Schema', () => {
    expectTypeOf<z.infer<typeof full>>().toEqualTypeOf<(typeof small)['_output']>()
    expect(mini.string(mini.minLength(2, 'short')).safeParse('').error?.issues[0]?.message).toBe('short')
    expect(() => mini.string().parse(1)).toThrow(z.ValidationError)
    expect(mini.string()['~standard'].validate('x')).toEqual({ value: 'x' })
    expect(
      mini.object({ a: mini.string() }, { required_error: 'gone' }).safeParse(undefined).error?.issues[0]?.message,
    ).toBe('gone')
  })

  test('keyof, as a function of its own and of sluice/z, knows the keys of an object of each door', () => {
    const shape = { a: mini.string(), b: mini.optional(mini.number()) }
    for (const schema of [mini.object(shape), object(shape), z.object(shape), z.object(shape).passthrough()]) {
      expect(keyof(schema).options).toEqual(['a', 'b'])
      expect(z.keyof(schema).options).toEqual(['a', 'b'])
    }
    expectTypeOf(keyof(mini.object(shape)).parse('a')).toEqualTypeOf<'a' | 'b'>()
    expectTypeOf(keyof(object(shape)).parse('a')).toEqualTypeOf<'a' | 'b'>()
    expectTypeOf(z.keyof(z.object(shape).passthrough()).parse('a')).toEqualTypeOf<'a' | 'b'>()
    // @ts-expect-error a text has no keys
    expect(() => keyof(mini.string())).toThrow(TypeError)
  })

  test('its schemas are awaited and described like others', async () => {
    expect(await z.safeParseAsync(small as never, { age: 0 })).toMatchObject({ success: false })
  })
})
