import { afterEach, describe, expect, test } from 'vitest'
import { z as zod } from 'zod/v3'
import type { AnySchema } from '../../src/internal/z/schema.ts'
import { array } from '../../src/z/array.ts'
import { setErrorMap } from '../../src/z/error-map.ts'
import { number } from '../../src/z/number.ts'
import { object } from '../../src/z/object.ts'
import { any } from '../../src/z/primitives.ts'
import { string } from '../../src/z/string.ts'
import { outcome } from './compare.ts'

afterEach(() => setErrorMap())

/** Both have these names, of the subpaths and of zod 3. */
interface Doors {
  readonly string: typeof string
  readonly number: typeof number
  readonly object: typeof object
  readonly array: typeof array
  readonly any: typeof any
}

const VALUES = [undefined, null, '', 'a', 'abc', 5, {}, [], { a: 'x' }, { a: 'x', b: 1 }, { a: 1, more: [] }, ['a']]

describe('V13, V18: what every door has on its chain', () => {
  test.each<[string, (z: Doors) => AnySchema]>([
    ['nullish', (z) => z.string().nullish()],
    ['catch with a value', (z) => z.string().catch('caught')],
    ['catch with a function', (z) => z.string().catch(({ error, input }) => `${error.issues.length} ${typeof input}`)],
    ['brand', (z) => z.string().brand<'Id'>()],
    ['brand with a name', (z) => z.string().brand('Id')],
    ['strict', (z) => z.object({ a: z.string() }).strict()],
    ['length of a text', (z) => z.string().length(3)],
    ['length with a message', (z) => z.string().length(3, 'Three')],
    ['nonempty', (z) => z.string().nonempty()],
    ['gte and lte', (z) => z.number().gte(5).lte(5)],
    ['gt', (z) => z.number().gt(5)],
    ['lt', (z) => z.number().lt(5, { message: 'less' })],
    ['length of a list', (z) => z.array(z.any()).length(1)],
    ['strip after passthrough', (z) => z.object({ a: z.string() }).passthrough().strip()],
    ['passthrough', (z) => z.object({ a: z.string() }).passthrough()],
    [
      'merge takes the treatment of the other',
      (z) => z.object({ a: z.string() }).merge(z.object({ b: z.number() }).strict()),
    ],
    ['required', (z) => z.object({ a: z.string().optional(), b: z.number() }).partial().required()],
    ['required with a mask', (z) => z.object({ a: z.string(), b: z.number() }).partial().required({ b: true })],
    [
      'keys of each other survive',
      (z) => z.object({ a: z.string() }).passthrough().extend({ b: z.number() }).partial(),
    ],
  ])('%s: as zod 3', (_, build) => {
    const mine = build({ string, number, object, array, any })
    const theirs = build(zod as never)
    for (const value of VALUES) expect(outcome(mine, value)).toEqual(outcome(theirs, value))
  })

  test('readonly freezes what fits, and leaves the input alone', () => {
    const input = ['a']
    expect(Object.isFrozen(array(string()).readonly().parse(input))).toBe(true)
    expect(Object.isFrozen(input)).toBe(false)
  })

  test('the error that catch is told has the words of the error map', () => {
    setErrorMap(() => ({ message: 'mapped' }))
    expect(
      string()
        .catch(({ error }) => error.issues[0]!.message)
        .parse(1),
    ).toBe('mapped')
  })

  test('the types are those of the objects that come out', () => {
    const merged = object({ a: string() })
      .merge(object({ b: number() }))
      .required({ a: true })
    const value: { a: string; b: number } = merged.parse({ a: 'x', b: 1 })
    expect(value).toEqual({ a: 'x', b: 1 })
    // @ts-expect-error a branded text is not any text
    const branded: ReturnType<ReturnType<typeof brandedOf>['parse']> = 'x'
    expect(branded).toBe('x')
  })
})

const brandedOf = () => string().brand<'Id'>()

test('V13: a getter in a shape is refused, and the message says what to write', () => {
  const shape = {
    get replies() {
      return any()
    },
  }
  expect(() => object(shape)).toThrow(
    'object: replies: expected a schema: z.lazy(() => …), or a getter of sluice/zod3, got "a getter"',
  )
})
