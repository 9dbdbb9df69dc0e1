import { array } from 'sluice/z/array'
import { setErrorMap } from 'sluice/z/error-map'
import { number } from 'sluice/z/number'
import { object } from 'sluice/z/object'
import type { AnySchema } from 'sluice/z/schema'
import { string } from 'sluice/z/string'
import { afterEach, describe, expect, test } from 'vitest'
import { z as zod } from 'zod/v3'
import { outcome } from './compare.ts'

afterEach(() => setErrorMap())

/** Both have these names, of the subpaths and of zod 3. */
interface Doors {
  readonly string: typeof string
  readonly number: typeof number
  readonly object: typeof object
  readonly array: typeof array
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
    ['strict with a message', (z) => z.object({ a: z.string() }).strict('No more')],
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
    const mine = build({ string, number, object, array })
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
