import { afterEach, describe, expect, test, vi } from 'vitest'
import { isLinear } from '../../src/internal/z/from-json/is-linear.ts'
import { fromJsonSchema } from '../../src/z/from-json-schema.ts'
import * as z from '../../src/z.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

/** `{ a: { a: … } }`, so many levels. */
const deep = (levels: number, end: unknown = {}): unknown => {
  let value = end
  for (let level = 0; level < levels; level++) value = { a: value }
  return value
}

const accepts = (document: object, value: unknown): boolean => fromJsonSchema(document).safeParse(value).success

/** A chain of objects that ends with a text. */
const CHAIN = { anyOf: [{ type: 'string' }, { type: 'object', properties: { a: { $ref: '#/$defs/chain' } } }] }
const $defs = { chain: CHAIN, never: { not: { $ref: '#/$defs/chain' } }, again: { not: { $ref: '#/$defs/never' } } }
const chain = { $ref: '#/$defs/chain' }

describe('P29: values that are nested too deeply to check are refused by every method', () => {
  test.each<[title: string, document: object, wrap: (value: unknown) => unknown, fits: boolean]>([
    ['not', { not: chain, $defs }, (value) => value, false],
    ['not not', { not: { not: chain }, $defs }, (value) => value, true],
    ['not, over references', { $ref: '#/$defs/never', $defs }, (value) => value, false],
    ['not not, over references', { $ref: '#/$defs/again', $defs }, (value) => value, true],
    ['not of an option', { not: { anyOf: [chain, { maxProperties: 0 }] }, $defs }, (value) => value, false],
    ['oneOf, with one that does not fit', { oneOf: [chain, { type: 'number' }], $defs }, (value) => value, true],
    ['oneOf, with another that fits', { oneOf: [{ not: chain }, {}], $defs }, (value) => value, true],
    ['maxContains', { contains: chain, minContains: 0, maxContains: 0, $defs }, (value) => [value], false],
    ['contains', { contains: chain, $defs }, (value) => [value], true],
    ['not uniqueItems', { not: { uniqueItems: true } }, (value) => [value, 1], false],
  ])('%s: 100 levels are answered, 2,000 are refused, and 100 are answered again', async (_, document, wrap, fits) => {
    const schema = fromJsonSchema(document)
    const answers = [100, 2000, 100].map((levels) => schema.safeParse(wrap(deep(levels))).success)
    expect(answers).toEqual([fits, false, fits])
    const later = await Promise.all([100, 2000].map((levels) => z.safeParseAsync(schema, wrap(deep(levels)))))
    expect(later.map(({ success }) => success)).toEqual([fits, false])
  })

  test('a value that was too deep for one question is too deep for the next one', () => {
    const document = { allOf: [{ not: { not: chain } }, { not: chain }], $defs }
    expect(accepts(document, deep(2000))).toBe(false)
    const value = deep(2000)
    expect(accepts({ anyOf: [{ allOf: [chain, { required: ['x'] }] }, { not: chain }], $defs }, value)).toBe(false)
  })
})

describe('P29: hostile documents take as many steps as they have characters', () => {
  const many = <T>(count: number, make: (index: number) => T): { [key: string]: T } =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, make(index)]))

  /** How often patterns are tried while a schema is made, and how many keys of lists are read. */
  const stepsOf = (document: object): number => {
    let steps = 0
    const counted = <T extends (...given: never[]) => unknown>(own: T): T =>
      function (this: never, ...given: never[]) {
        steps++
        return own.apply(this, given)
      } as T
    const [{ test: tried }, { replaceAll }] = [RegExp.prototype, String.prototype]
    vi.spyOn(RegExp.prototype, 'test').mockImplementation(counted(tried))
    vi.spyOn(String.prototype, 'replaceAll').mockImplementation(counted(replaceAll))
    const { includes } = Array.prototype
    vi.spyOn(Array.prototype, 'includes').mockImplementation(function (this: unknown[], ...given) {
      steps += this.length
      return includes.apply(this, given)
    })
    try {
      fromJsonSchema(document)
    } finally {
      vi.restoreAllMocks()
    }
    return steps
  }

  test.each<[string, (size: number) => object]>([
    [
      'fields that are required',
      (size) => ({ properties: many(size, () => ({})), required: Object.keys(many(size, String)) }),
    ],
    ['fields', (size) => ({ properties: many(size, () => ({ minLength: 1 })) })],
    [
      'fields beside one pattern',
      (size) => ({ properties: many(size, () => true), patternProperties: { '^k': true } }),
    ],
    ['an enum beside a const', (size) => ({ enum: Object.keys(many(size, String)), const: 'k1' })],
    ['options', (size) => ({ anyOf: Array.from({ length: size }, (_, index) => ({ const: index })) })],
  ])('%s: 4 times as many, at most 5 times the steps', (_, make) => {
    expect(stepsOf(make(2000)) / Math.max(stepsOf(make(500)), 100)).toBeLessThan(5)
  })

  test('many fields and many patterns together are refused', () => {
    const patternProperties = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`^x${index}`, true]))
    const document = { properties: many(1000, () => true), patternProperties }
    expect(() => fromJsonSchema(document)).toThrow('patternProperties: more than 1000000 characters of names to match')
    expect(() => fromJsonSchema({ ...document, properties: many(100, () => true) })).not.toThrow()
  })

  test('a long name is written into the pointer of a refusal, and not into that of every schema below it', () => {
    const name = 'n'.repeat(10_000)
    const document = { properties: { [name]: { properties: many(2000, () => ({ minLength: 1 })) } } }
    expect(stepsOf(document)).toBeLessThan(20_000)
    expect(() => fromJsonSchema({ properties: { [name]: { if: 1 } } })).toThrow(`#/properties/${name}: "if"`)
  })

  test('one schema with many pointers is made once', () => {
    let reads = 0
    const target = Object.defineProperty({}, 'minLength', { enumerable: true, get: () => void reads++ })
    const spellings = Array.from({ length: 64 }, (_, bits) =>
      [...'abcdef'].map((letter, at) => (bits & (1 << at) ? `%${letter.charCodeAt(0).toString(16)}` : letter)).join(''),
    )
    const made = (count: number): number => {
      reads = 0
      fromJsonSchema({
        anyOf: spellings.slice(0, count).map((name) => ({ $ref: `#/$defs/${name}` })),
        $defs: { abcdef: target },
      })
      return reads
    }
    expect(made(64)).toBe(made(1))
  })

  test.each([
    ['many ways at each character', `${'(?:a|b|ab)'.repeat(4)}c`],
    [
      'a thousand characters that all follow each other',
      `^(?:${Array.from({ length: 600 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join('|')})*$`,
    ],
    ['ways times characters', `${'[a-z]'.repeat(48)}(?:${Array.from({ length: 20 }, (_, at) => `x${at}`).join('|')})`],
  ])('a pattern is not proved to be linear: %s', (_, pattern) => {
    expect(isLinear(pattern)).toBe(false)
  })

  test('a text of ten megabytes fills no stack', () => {
    expect(accepts({ format: 'email' }, `${'a.'.repeat(5_000_000)}b@x.io`)).toBe(false)
    expect(accepts({ format: 'email' }, `${'a.'.repeat(50)}b@x.io`)).toBe(true)
  })
})

describe('P29: allOf', () => {
  test('a recursive allOf takes as many steps as its value has keys, however deep it is', () => {
    const document = { allOf: [{ properties: { a: { $ref: '#' } } }, { required: ['b'] }] }
    const schema = fromJsonSchema(document)
    const steps = (levels: number): number => {
      let count = 0
      let value: object = { b: 1 }
      for (let level = 0; level < levels; level++) {
        const inner = value
        const b = Array.from({ length: 5 }, () => 1)
        const get = (made: unknown) => () => {
          count++
          return made
        }
        value = Object.defineProperties(
          {},
          { a: { enumerable: true, get: get(inner) }, b: { enumerable: true, get: get(b) } },
        )
      }
      expect(schema.safeParse(value).success).toBe(true)
      return count
    }
    expect(steps(400) / steps(100)).toBeLessThan(5)
  })

  test('both sides fill in their defaults; where both have one, the first', () => {
    const side = (properties: object): object => ({ type: 'object', properties })
    const schema = fromJsonSchema({
      allOf: [
        side({ a: { default: 1 }, o: side({ x: { default: 1 } }), l: { items: side({ x: { default: 1 } }) } }),
        side({ a: { default: 2 }, b: { default: 2 }, o: side({ y: { default: 2 } }) }),
      ],
    })
    const value = JSON.parse('{"o":{"__proto__":1},"l":[{},{}],"c":3}')
    expect(schema.parse(value)).toEqual({ a: 1, b: 2, c: 3, o: { x: 1, y: 2 }, l: [{ x: 1 }, { x: 1 }] })
    expect(schema.safeParse({ o: 1 }).success).toBe(false)
  })
})

describe('P29: keywords of the wrong type are refused, and a default only tells something', () => {
  test.each<[object, string]>([
    [{ additionalProperties: 'false' }, '#/additionalProperties: expected a schema, got "false"'],
    [{ additionalProperties: null }, '#/additionalProperties: expected a schema, got null'],
    [{ uniqueItems: 'true' }, '#: uniqueItems: expected a boolean, got "true"'],
    [{ type: 'string', nullable: 'true' }, '#: nullable: expected a boolean, got "true"'],
    [{ nullable: 1 }, '#: nullable: expected a boolean, got 1'],
    [{ properties: null }, '#: properties: expected an object, got null'],
    [{ patternProperties: null }, '#: patternProperties: expected an object, got null'],
    [{ format: 5 }, '#: format: expected a name, got 5'],
    [{ allOf: [] }, '#: allOf: expected a list of schemas, got []'],
    [{ anyOf: [] }, '#: anyOf: expected a list of schemas, got []'],
    [{ oneOf: [] }, '#: oneOf: expected a list of schemas, got []'],
    [{ items: null }, '#/items: expected a schema, got null'],
    [{ propertyNames: 'a' }, '#/propertyNames: expected a schema, got "a"'],
    [{ items: 'x' }, '#/items: expected a schema, got "x"'],
  ])('%j', (document, words) => {
    expect(() => fromJsonSchema(document)).toThrow(words)
  })

  test.each<[title: string, property: object, out: object]>([
    ['fits', { type: 'string', default: 'x' }, { a: 'x' }],
    ['does not fit', { type: 'string', default: null }, {}],
    ['does not fit a reference that comes later', { $ref: '#/$defs/short', default: 'long' }, {}],
    [
      'fits inside only in part',
      { type: 'object', properties: { b: { type: 'string', default: 1 } }, default: {} },
      { a: {} },
    ],
  ])('a default that %s', (_, property, out) => {
    const document = { type: 'object', properties: { a: property }, $defs: { short: { maxLength: 1 } } }
    expect(fromJsonSchema(document).safeParse({})).toEqual({ success: true, data: out })
  })

  test('defaults that hold each other are filled in once, and not without end', async () => {
    const own = { properties: { a: { $ref: '#' }, b: { $ref: '#', default: { a: {} } } } }
    expect(JSON.stringify(fromJsonSchema(own).parse({})).length).toBeLessThan(200)
    const names = Array.from({ length: 40 }, (_, index) => `${index}`)
    const $defs = Object.fromEntries(
      names.map((name) => {
        const next = { $ref: `#/$defs/${Number(name) + 1}`, default: {} }
        return [name, { properties: { x: next, y: next } }]
      }),
    )
    const document = { $ref: '#/$defs/0', $defs: { ...$defs, 40: {} } }
    const sizes = [fromJsonSchema(document).parse({}), await z.parseAsync(fromJsonSchema(document), {})].map(
      (out) => JSON.stringify(out).length,
    )
    for (const size of sizes) expect(size).toBeLessThan(100_000)
    const nested = { properties: { a: { properties: { b: { default: 1 } }, default: {} } } }
    expect(fromJsonSchema(nested).parse({})).toEqual({ a: { b: 1 } })
  })

  test('a default beside a key that is required fills in nothing', () => {
    const document = { properties: { a: { type: 'string', default: 5 } }, required: ['a'] }
    expect([accepts(document, {}), accepts(document, { a: 'x' })]).toEqual([false, true])
  })

  test.each<[value: number, step: number, fits: boolean]>([
    [3e-7, 1e-7, true],
    [2.5e-7, 1e-7, false],
    [1e-10, 1e-10, true],
    [1e23, 10, true],
    [1e308, 1e-308, true],
    [-15, 5, true],
    [0, 0.1, true],
    [0.3, 0.1, true],
    [2.03, 0.07, true],
    [5.123456, 0.000001, true],
    [5.1234567, 0.000001, false],
    [Number.POSITIVE_INFINITY, 1, false],
  ])('%d is a multiple of %d: %s', (value, step, fits) => {
    expect(accepts({ multipleOf: step }, value)).toBe(fits)
  })
})
