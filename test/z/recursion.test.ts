import { describe, expect, test } from 'vitest'
import * as z from '../../src/z.ts'

const chain = (check: (text: string) => boolean): z.AnySchema => {
  const node: z.AnySchema = z.lazy(() => z.object({ name: z.string().refine(check), next: node.optional() }))
  return node
}

const list = (length: number): object =>
  Array.from({ length }).reduce<object>((next) => ({ name: 'x', next }), { name: 'x' })

describe('V18: a schema that holds itself', () => {
  test.each([
    ['an error', new Error('own')],
    ['a RangeError', new RangeError('own')],
    ['a text', 'Maximum call stack'],
    ['another error with that text', new Error('Maximum call stack size exceeded')],
  ])('throws what its own code throws: %s', async (_, thrown) => {
    const schema = chain(() => {
      throw thrown
    })
    expect(() => schema.safeParse(list(2))).toThrow(thrown as Error)
    await expect(z.safeParseAsync(schema, list(2))).rejects.toBe(thrown)
    expect(chain(() => true).safeParse(list(2)).success).toBe(true)
  })

  test.each([
    [498, true],
    [600, false],
  ])('%d levels are followed: %s', async (length, isFollowed) => {
    const schema = chain(() => true)
    expect(schema.safeParse(list(length)).success).toBe(isFollowed)
    expect((await z.safeParseAsync(schema, list(length))).success).toBe(isFollowed)
  })

  test('the issues of a value that is there many times have the path of each place', () => {
    const schema = z.array(chain((text) => text !== 'x'))
    const value = list(0)
    const paths = schema.safeParse(Array(300).fill(value)).error?.issues.map(({ path }) => path.join('.'))
    expect(paths).toEqual(Array.from({ length: 300 }, (_, index) => `${index}.name`))
  })

  test('a circle is an issue where it closes, and is over with the parse', async () => {
    const schema = chain(() => true)
    const circle: { name: string; next?: object } = { name: 'x' }
    circle.next = { name: 'x', next: circle }
    const refused = [{ path: ['next', 'next'], message: 'Nested too deeply, or circular' }]
    for (const { error } of [schema.safeParse(circle), await z.safeParseAsync(schema, circle)])
      expect(error?.issues).toMatchObject(refused)
    delete circle.next
    expect(schema.safeParse(circle).success).toBe(true)
  })
})

test.each([
  ['a method of every object', { toString: z.string() }, {}, [['toString']]],
  ['the constructor', { constructor: z.string() }, {}, [['constructor']]],
  ['a method that is optional', { toString: z.string().optional(), a: z.string() }, { a: 'x' }, []],
  ['a method that is there', { toString: z.string() }, { toString: 'x' }, []],
] as [string, Record<string, z.AnySchema>, object, string[][]][])(
  'V20: a key named as %s',
  (_, shape, value, paths) => {
    expect(
      z
        .object(shape)
        .safeParse(value)
        .error?.issues.map(({ path }) => path) ?? [],
    ).toEqual(paths)
  },
)
