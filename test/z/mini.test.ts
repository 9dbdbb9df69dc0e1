import { describe, expect, expectTypeOf, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import * as mini from '../../src/z/mini.ts'
import { object } from '../../src/z/object.ts'
import { keyof } from '../../src/z/object-functions.ts'
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
    expect(mini.string()['~standard'].validate('x')).toEqual({ value: 'x' })
    expect(mini.string()['~standard'].validate(1)).toMatchObject({ issues: [{ code: 'invalid_type' }] })
    expect(mini.object({ a: mini.string() }).safeParse(Number.NaN).error?.issues).toEqual([
      { code: 'invalid_type', expected: 'object', received: 'nan', path: [], message: 'Expected object, received nan' },
    ])
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

  test('parse throws its issues, which is a 422 without the values that they may hold', async () => {
    const schema = mini.object({ name: mini.string(), kind: z.enum(['a']) })
    const app = createApp().post('/', async (ctx) => ctx.json(schema.parse(await ctx.json())))
    const response = await app.request('/', { method: 'POST', body: '{"name":1,"kind":"secret"}' })
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: 422,
      body: { error: 'Validation failed' },
    })
    expect(() => mini.string().parse(1)).toThrow(
      expect.objectContaining({ name: 'ValidationError', issues: [expect.objectContaining({ received: 'number' })] }),
    )
    expect(() => mini.string().parse(1)).toThrow('"expected":"string"')
  })

  test('z.formatError and z.flattenError make the forms of its error', () => {
    const error = small.safeParse({}).error!
    expect(z.formatError(error)).toMatchObject({ name: { _errors: ['Required'] } })
    expect(z.flattenError<{ active: boolean }>(error).fieldErrors.active).toEqual(['Required'])
  })

  test('names of Object.prototype are keys like others, and __proto__ is never written', () => {
    const schema = mini.object({ constructor: mini.optional(mini.string()), toString: mini.string() })
    expect(schema.safeParse({}).error?.issues.map(({ path }) => path)).toEqual([['toString']])
    expect(schema.parse({ toString: 'x', constructor: 'y' })).toEqual({ toString: 'x', constructor: 'y' })
    const shape = JSON.parse('{"__proto__":1}')
    const open = mini.object(Object.fromEntries(Object.keys(shape).map((key) => [key, z.any()])))
    expect(Object.getPrototypeOf(open.parse(JSON.parse('{"__proto__":{"a":1}}')))).toBe(Object.prototype)
  })

  test('a child of the chain that gives nothing makes the object invalid', () => {
    expect(mini.object({ a: z.any().transform(() => z.NEVER) }).safeParse({ a: 1 }).success).toBe(false)
  })

  test('a check that changes its value is refused when made', () => {
    expect(() => mini.string(z.overwrite((text: string) => text.trim()))).toThrow(TypeError)
    expect(mini.string(z.formats.ip()).safeParse('::1').success).toBe(true)
  })

  test('its schemas are children of the chain, awaited, encoded and described like others', async () => {
    expect(await z.safeParseAsync(small, { age: 0 })).toMatchObject({ success: false })
    expect(await z.parseAsync(z.array(small), [])).toEqual([])
    expect(z.record(z.string(), mini.number()).safeParse({ a: 'x' }).success).toBe(false)
    expect(z.encode(mini.object({ a: mini.string() }), { a: 'x' })).toEqual({ a: 'x' })
    expect(z.toJSONSchema(mini.object({ a: mini.optional(mini.string(mini.email())) }))).toMatchObject({
      type: 'object',
      properties: { a: { type: 'string', pattern: expect.any(String) } },
    })
  })
})
