import { describe, expect, expectTypeOf, test } from 'vitest'
import { fromJsonSchema } from '../../src/z/from-json-schema.ts'
import type { Schema } from '../../src/z/schema.ts'
import { toJsonSchema } from '../../src/z/to-json-schema.ts'
import * as z from '../../src/z.ts'

/** A schema, values that it accepts, and values that it refuses. */
type Row = readonly [title: string, schema: object | boolean, fits: readonly unknown[], others: readonly unknown[]]

const NODE = { type: 'object', properties: { next: { $ref: '#/$defs/Node' } }, required: ['value'] }

describe('P29: fromJsonSchema', () => {
  test.each<Row>([
    ['true', true, [1, null, {}], []],
    ['false', false, [], [1, null, {}]],
    ['nothing asked', {}, [1, 'a', null, [], {}], []],
    ['a type', { type: 'string' }, ['', 'a'], [1, null, {}]],
    ['a whole number', { type: 'integer' }, [1, 1.0, -5], [1.5, '1']],
    ['two types', { type: ['string', 'null'] }, ['a', null], [1]],
    ['a keyword without a type leaves other types alone', { minLength: 2 }, ['ab', 1, null, []], ['a']],
    ['a length counts characters', { type: 'string', maxLength: 1 }, ['a', '😀'], ['ab', '😀😀']],
    ['a minimum of characters', { type: 'string', minLength: 2 }, ['ab', '😀😀'], ['a', '😀']],
    ['bounds', { type: 'number', minimum: 1, exclusiveMaximum: 3 }, [1, 2.9], [0.9, 3]],
    [
      'flags of bounds',
      { type: 'number', minimum: 1, exclusiveMinimum: true, maximum: 3, exclusiveMaximum: false },
      [2, 3],
      [1, 3.1],
    ],
    ['a step', { type: 'number', multipleOf: 0.1 }, [0.3, 1], [0.35]],
    ['an enum of several types', { enum: ['a', 1, null] }, ['a', 1, null], ['b', 2, undefined]],
    ['an enum narrowed by a type', { type: 'string', enum: ['a', 1] }, ['a'], [1]],
    [
      'an enum of objects, keys in any order',
      { enum: [{ a: 1, b: [2] }] },
      [{ b: [2], a: 1 }],
      [{ a: 1 }, { a: 1, b: [3] }],
    ],
    ['a const', { const: 5 }, [5], [6, '5']],
    ['a const null', { const: null }, [null], [0, undefined]],
    ['a pattern', { type: 'string', pattern: '^[a-z]+$' }, ['ab'], ['a1']],
    ['a format', { type: 'string', format: 'email' }, ['ada@x.io'], ['x']],
    [
      'a day and a time with a zone',
      { type: 'string', format: 'date-time' },
      ['2026-01-01T00:00:00+02:00'],
      ['2026-01-01'],
    ],
    [
      'a time with a zone, or without',
      { type: 'string', format: 'time' },
      ['12:30:00Z', '12:30:00+02:00', '12:30:00'],
      ['25:00:00Z'],
    ],
    [
      'addresses',
      {
        anyOf: [
          { type: 'string', format: 'ipv4' },
          { type: 'string', format: 'uri' },
        ],
      },
      ['127.0.0.1', 'https://x.io'],
      ['x'],
    ],
    ['an unknown format is not looked at', { type: 'string', format: 'toString' }, ['x'], [1]],
    [
      'a key that may be missing',
      { type: 'object', properties: { a: { type: 'string' } } },
      [{}, { a: 'x' }, { b: 1 }],
      [{ a: 1 }, []],
    ],
    [
      'a required key that may be anything',
      { type: 'object', properties: { a: {} }, required: ['a'] },
      [{ a: null }],
      [{}],
    ],
    [
      'a required key without a schema',
      { type: 'object', required: ['a', 'toString'] },
      [{ a: 1, toString: 1 }],
      [{ a: 1 }, {}],
    ],
    [
      'no other keys',
      { type: 'object', properties: { a: true }, additionalProperties: false },
      [{ a: 1 }, {}],
      [{ b: 1 }],
    ],
    [
      'a schema for other keys',
      { type: 'object', properties: { a: true }, additionalProperties: { type: 'number' } },
      [{ a: 'x', b: 1 }],
      [{ b: 'x' }],
    ],
    [
      'patterns of keys, which also ask named keys',
      {
        type: 'object',
        properties: { ab: { type: 'string' } },
        patternProperties: { '^a': { minLength: 2 } },
        additionalProperties: false,
      },
      [{ ab: 'xx' }, { ac: 'xx' }, { a: 5 }],
      [{ ab: 'x' }, { ac: 'x' }, { b: 1 }],
    ],
    ['names of keys', { type: 'object', propertyNames: { maxLength: 1 } }, [{ a: 1 }], [{ ab: 1 }]],
    ['a count of keys', { type: 'object', minProperties: 1, maxProperties: 2 }, [{ a: 1 }], [{}, { a: 1, b: 1, c: 1 }]],
    [
      'items',
      { type: 'array', items: { type: 'number' }, minItems: 1, maxItems: 2 },
      [[1], [1, 2]],
      [[], ['a'], [1, 2, 3]],
    ],
    [
      'unique items',
      { type: 'array', uniqueItems: true },
      [[1, '1', [1], { a: 1 }]],
      [
        [1, 1],
        [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
      ],
    ],
    [
      'items of which some fit',
      { type: 'array', contains: { const: 1 }, maxContains: 2 },
      [[1], [1, 2, 1]],
      [[], [2], [1, 1, 1]],
    ],
    [
      'the first items, which may be fewer',
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false },
      [[], ['a'], ['a', 1]],
      [[1], ['a', 1, 2]],
    ],
    [
      'the first items, all of them',
      { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'number' }, minItems: 1 },
      [['a'], ['a', 1]],
      [[], ['a', 'b']],
    ],
    [
      'the first items in the words of draft 7',
      { type: 'array', items: [{ type: 'string' }], additionalItems: { type: 'number' } },
      [[], ['a', 1]],
      [[1], ['a', 'b']],
    ],
    ['one of several, and no other', { oneOf: [{ minimum: 1 }, { maximum: 3 }] }, [0, 4], [2, 'a']],
    ['all of several', { allOf: [{ minimum: 1 }, { maximum: 3 }] }, [2, 'a'], [0, 4]],
    ['not', { type: 'string', not: { const: 'a' } }, ['b'], ['a', 1]],
    ['nullable beside a type', { type: 'string', nullable: true }, ['a', null], [1]],
    ['nullable around a reference', { allOf: [{ type: 'string' }], nullable: true }, ['a', null], [1]],
    [
      'a list that holds itself',
      { $ref: '#/$defs/Node', $defs: { Node: NODE } },
      [{ value: 1, next: { value: 2 } }],
      [{ value: 1, next: {} }, {}],
    ],
    ['the document itself', { type: 'array', items: { $ref: '#' } }, [[], [[], [[]]]], [[1], [[[1]]]]],
    ['a pointer with signs', { $ref: '#/definitions/a~1b%20~0', definitions: { 'a/b ~': { const: 1 } } }, [1], [2]],
    ['neighbours of a reference', { $ref: '#/$defs/a', maximum: 3, $defs: { a: { minimum: 1 } } }, [2], [0, 4]],
  ])('%s', (_, document, fits, others) => {
    const schema = fromJsonSchema(document)
    expect(fits.filter((value) => !schema.safeParse(value).success)).toEqual([])
    expect(others.filter((value) => schema.safeParse(value).success)).toEqual([])
  })

  test('keys that are not named stay, defaults fill in and are fresh each time, a required key must be there all the same', () => {
    const schema = fromJsonSchema({ type: 'object', properties: { a: { default: [] }, b: { default: 'x' } } })
    const [one, two] = [schema.parse({ c: 1 }), schema.parse({ c: 1 })]
    expect(one).toEqual({ a: [], b: 'x', c: 1 })
    expect(one.a).not.toBe(two.a)
    const required = fromJsonSchema({
      type: 'object',
      properties: { a: { type: 'string', default: 'x' } },
      required: ['a'],
    })
    expect(required.safeParse({}).success).toBe(false)
  })

  test('title, description and examples are kept; a reference keeps its own', () => {
    const document = {
      type: 'object',
      title: 'A user',
      properties: {
        name: { type: 'string', description: 'The name', examples: ['Ada'] },
        text: { $ref: '#/$defs/text', description: 'Its own' },
      },
      required: ['name', 'text'],
    }
    const described = toJsonSchema(fromJsonSchema({ ...document, $defs: { text: { type: 'string', minLength: 1 } } }))
    expect(described).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      ...document,
      properties: { ...document.properties, text: { type: 'string', minLength: 1, description: 'Its own' } },
    })
  })

  test('the schemas are those of z: classes, methods, messages, a place for each issue', () => {
    const schema = fromJsonSchema<{ a: string[] }>({
      type: 'object',
      properties: { a: { type: 'array', items: { type: 'string', minLength: 2 } } },
      required: ['a'],
    })
    expectTypeOf(schema).toEqualTypeOf<Schema<{ a: string[] }>>()
    expect(schema).toBeInstanceOf(z.ObjectSchema)
    expect(schema.safeParse({ a: ['x'] }).error?.issues).toMatchObject([
      { path: ['a', 0], message: 'String must contain at least 2 character(s)' },
    ])
    expect(fromJsonSchema({ type: 'object', required: ['a'] }).safeParse({}).error?.issues).toMatchObject([
      { path: ['a'], message: 'Required' },
    ])
    expect(schema.optional().parse(undefined)).toBeUndefined()
    expect(z.object({ user: schema }).safeParse({}).success).toBe(false)
  })

  test('a schema in a document of OpenAPI', () => {
    const document = {
      openapi: '3.0.3',
      components: {
        schemas: {
          Id: { type: 'integer', minimum: 1 },
          User: { type: 'object', properties: { id: { $ref: '#/components/schemas/Id' } }, required: ['id'] },
        },
      },
    }
    const schema = fromJsonSchema({ $ref: '#/components/schemas/User' }, { document })
    expect([schema.safeParse({ id: 1 }).success, schema.safeParse({ id: 0 }).success]).toEqual([true, false])
  })

  test('parseAsync gives the same', async () => {
    const schema = fromJsonSchema({
      type: 'array',
      prefixItems: [{ oneOf: [{ type: 'string' }] }],
      items: { type: 'object', patternProperties: { '^a': { type: 'number' } } },
    })
    expect(await z.parseAsync(schema, ['x', { a: 1 }])).toEqual(['x', { a: 1 }])
    expect((await z.safeParseAsync(schema, ['x', { a: 'x' }])).error?.issues).toMatchObject([{ path: [1, 'a'] }])
  })
})

describe('P29: what fromJsonSchema refuses when made', () => {
  test.each<[title: string, schema: unknown, words: string]>([
    [
      'a keyword that is not supported',
      { properties: { a: { if: true } } },
      '#/properties/a: "if": this keyword is not supported',
    ],
    [
      'a keyword of any other name',
      { allOf: [{ minlength: 1 }] },
      '#/allOf/0: "minlength": this keyword is not supported',
    ],
    ['an $id inside', { items: { $id: 'x' } }, '#/items: "$id"'],
    ['a name with signs in the pointer', { properties: { 'a/b~': { if: 1 } } }, '#/properties/a~1b~0: "if"'],
    [
      'a pattern that is not proved to be linear',
      { pattern: '(a+)+$' },
      '#: pattern: "(a+)+$" is not proved to take linear time',
    ],
    ['such a pattern for keys', { patternProperties: { 'a+b': true } }, '#: patternProperties: "a+b" is not proved'],
    [
      'an invalid pattern',
      { type: 'string', pattern: '(' },
      'pattern: expected a pattern that is valid with the flag "u", got "("',
    ],
    ['an invalid type', { type: 'text' }, 'type: expected a type of JSON Schema, got "text"'],
    ['a type of Object.prototype', { type: 'toString' }, 'type: expected a type'],
    ['an invalid schema', { items: 5 }, '#/items: expected a schema, got 5'],
    ['an invalid list', { anyOf: {} }, 'anyOf: expected a list, got {}'],
    ['invalid keys', { required: [1] }, 'required: expected a list of keys'],
    ['properties that are a list', { properties: [] }, 'properties: expected an object, got []'],
    ['a length that is not whole', { minLength: 1.5 }, 'minLength: expected a whole number from 0, got 1.5'],
    ['a bound that is no number', { minimum: '1' }, 'minimum: expected a number, got "1"'],
    ['a step of 0', { multipleOf: 0 }, 'multipleOf: expected a number above 0, got 0'],
    ['a reference to elsewhere', { $ref: 'https://x.io/y' }, '$ref: expected a JSON pointer of this document such as'],
    ['an anchor', { $ref: '#name' }, '$ref: expected a JSON pointer'],
    ['a reference to nothing', { $ref: '#/$defs/a' }, '$ref: nothing is at "#/$defs/a"'],
    ['a reference to what every object has', { $ref: '#/constructor' }, '$ref: nothing is at'],
    ['a reference that is not encoded', { $ref: '#/%' }, 'is not encoded'],
    ['a fault in what a reference names', { $ref: '#/$defs/a', $defs: { a: { then: 1 } } }, '#/$defs/a: "then"'],
  ])('%s', (_, schema, words) => {
    expect(() => fromJsonSchema(schema as object)).toThrow(TypeError)
    expect(() => fromJsonSchema(schema as object)).toThrow(words)
  })

  test('a pattern of a document that is trusted, and patterns that toJsonSchema writes', () => {
    expect(fromJsonSchema({ pattern: 'a+b' }, { patterns: true }).safeParse('aab').success).toBe(true)
    const own = z.object({ a: z.string().email(), b: z.string().base64(), c: z.string().uuid(), d: z.stringbool() })
    const again = fromJsonSchema(toJsonSchema(own))
    expect(again.safeParse({ a: 'x', b: 'aGk=', c: 'x', d: 'yes' }).error?.issues.map(({ path }) => path[0])).toEqual([
      'a',
      'c',
    ])
  })

  test('an unknown option', () => {
    expect(() => fromJsonSchema({}, { pattern: true } as never)).toThrow('did you mean "patterns"?')
  })
})

describe('P29: hostile documents and values', () => {
  const deep = (depth: number, wrap: (inner: object) => object): object => {
    let made: object = {}
    for (let level = 0; level < depth; level++) made = wrap(made)
    return made
  }
  const chain = (count: number, link: (next: { $ref: string }) => object): object => ({
    $ref: '#/$defs/0',
    $defs: Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        index,
        index + 1 < count ? link({ $ref: `#/$defs/${index + 1}` }) : {},
      ]),
    ),
  })
  const shared = (): object => {
    let made: object = {}
    for (let level = 0; level < 60; level++) made = { allOf: [made, made] }
    return made
  }
  const circle: { not?: object } = {}
  circle.not = circle

  test.each<[string, object, string]>([
    ['100,000 schemas in each other', deep(100_000, (inner) => ({ not: inner })), 'nested too deeply'],
    ['a circle of objects', circle, 'nested too deeply'],
    ['objects that are shared, as aliases of YAML are', shared(), 'more than 100000 schemas'],
    ['a reference to itself', { $ref: '#' }, 'it refers to itself for the same value'],
    [
      'a reference that comes round',
      { anyOf: [{ $ref: '#/$defs/a' }], $defs: { a: { not: { $ref: '#/$defs/b' } }, b: { $ref: '#/$defs/a' } } },
      'it refers to itself',
    ],
    [
      'a reference that comes round, met first through a property',
      {
        $ref: '#/$defs/b',
        $defs: {
          b: { properties: { x: { $ref: '#/$defs/a' } }, allOf: [{ $ref: '#/$defs/a' }] },
          a: { $ref: '#/$defs/b' },
        },
      },
      'it refers to itself',
    ],
    [
      'references that double',
      chain(60, (next) => ({ allOf: [next, next] })),
      'more than 10000 schemas would look at one value',
    ],
    ['a long chain of references', chain(5000, (next) => next), 'too many references to references'],
    [
      'a default that is nested deeply',
      { default: JSON.parse('['.repeat(2000) + ']'.repeat(2000)) },
      'default: nested too deeply',
    ],
    ['a value that is nested deeply', { const: JSON.parse('['.repeat(2000) + ']'.repeat(2000)) }, 'nested too deeply'],
  ])('refused when made: %s', (_, document, words) => {
    expect(() => fromJsonSchema(document)).toThrow(words)
  })

  test('references that double with each level of the value take as many steps as the value has levels', () => {
    const one = (next: object): object => ({ properties: { a: next } })
    const schema = fromJsonSchema(chain(60, (next) => ({ allOf: [one(next), one(next)] })))
    let value: object = {}
    for (let level = 0; level < 60; level++) value = { a: value }
    expect(schema.safeParse(value).success).toBe(true)
  })

  test('values: deep ones, circles, and 20,000 items that must be unique', () => {
    const list = fromJsonSchema({ type: 'array', items: { $ref: '#' }, uniqueItems: true })
    const circular: unknown[] = []
    circular.push(circular)
    expect(list.safeParse(circular).success).toBe(false)
    expect(list.safeParse(JSON.parse('['.repeat(20_000) + ']'.repeat(20_000))).success).toBe(false)
    const numbers = Array.from({ length: 20_000 }, (_, index) => index)
    expect(fromJsonSchema({ uniqueItems: true }).safeParse(numbers).success).toBe(true)
    expect(fromJsonSchema({ uniqueItems: true }).safeParse([circular]).success).toBe(false)
    expect(fromJsonSchema({ const: [1] }).safeParse(circular).success).toBe(false)
  })

  test('__proto__ is a key like others, and reaches no output', () => {
    const document = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"}},"additionalProperties":{"type":"number"}}',
    )
    const schema = fromJsonSchema(document)
    expect(schema.safeParse(JSON.parse('{"__proto__":1}')).success).toBe(false)
    const out = schema.parse(JSON.parse('{"__proto__":"x","a":1}'))
    expect(Object.getPrototypeOf(out)).toBe(Object.prototype)
    expect(Object.keys(out)).toEqual(['a'])
    const open = fromJsonSchema({ type: 'object', patternProperties: { '^_': true } })
    expect(Object.keys(open.parse(JSON.parse('{"__proto__":{"x":1},"b":1}')))).toEqual(['b'])
    expect(() => fromJsonSchema(JSON.parse('{"__proto__":{"type":"string"}}'))).toThrow('"__proto__": this keyword')
    expect(({} as { x?: unknown }).x).toBeUndefined()
  })
})
