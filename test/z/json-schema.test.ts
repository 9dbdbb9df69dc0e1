import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Target, toJsonSchema, useJsonSchema, withJsonSchema } from '../../src/z/to-json-schema.ts'
import * as z from '../../src/zod3.ts'
import { runs } from '../fuzz.ts'

// Its declarations say that the module itself is the default export
const addFormats = formats as unknown as (ajv: never) => void

/** Validators of each dialect. OpenAPI 3.0 says `nullable`, which ajv knows, and exclusiveness as a flag, which it does not: it is rewritten. */
const validatorOf = (schema: object, target: Target): ((value: unknown) => boolean) => {
  const options = { strict: false, validateFormats: false }
  if (target === 'draft-2020-12') return new Ajv2020(options).compile(schema)
  return new Ajv(options).compile(target === 'draft-7' ? schema : modern(schema))
}

const modern = (schema: object): object =>
  JSON.parse(JSON.stringify(schema), (_, value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const { exclusiveMinimum: low, exclusiveMaximum: high, minimum, maximum, ...rest } = value
    return {
      ...rest,
      ...(minimum !== undefined && { [low === true ? 'exclusiveMinimum' : 'minimum']: minimum }),
      ...(maximum !== undefined && { [high === true ? 'exclusiveMaximum' : 'maximum']: maximum }),
    }
  })

const tree: z.AnySchema = z.object({ name: z.string(), children: z.array(z.lazy(() => tree)) })

const schemas: { [name: string]: z.AnySchema } = {
  string: z.string(),
  'string of bounds': z.string().min(2).max(4),
  'string of a length': z.string().length(3),
  'string of patterns': z.string().regex(/^a/).regex(/z$/i),
  affixes: z.string().startsWith('a.').endsWith('z)').includes('[x'),
  'includes at': z.string().includes('x', { position: 2 }),
  email: z.string().email(),
  uuid: z.string().uuid(),
  ids: z.string().ulid().or(z.string().cuid()).or(z.string().nanoid()).or(z.string().cuid2()),
  base64: z.string().base64(),
  number: z.number(),
  integer: z.number().int().min(1).max(9),
  exclusive: z.number().gt(1).lt(5),
  'both bounds': z.number().min(3).gt(3).max(8).lt(9).max(7),
  multiple: z.number().multipleOf(3),
  boolean: z.boolean(),
  null: z.null(),
  literals: z.union([z.literal('a'), z.literal(1), z.literal(true), z.literal(null)]),
  enum: z.enum(['a', 'b']),
  nativeEnum: z.nativeEnum({ low: 0, high: 1, 0: 'low', 1: 'high' }),
  nullable: z.string().min(1).nullable(),
  'nullable enum': z.enum(['a', 'b']).nullable(),
  array: z.array(z.number()).min(1).max(2),
  'array of a length': z.array(z.number()).length(2),
  record: z.record(z.number()),
  object: z.object({
    a: z.string(),
    b: z.number().optional(),
    c: z.string().default('x'),
    d: z.string().nullish(),
    e: z.any(),
  }),
  'strict object': z.object({ a: z.string() }).strict(),
  'object with catchall': z.object({ a: z.string() }).catchall(z.number()),
  'partial object': z.object({ a: z.string(), b: z.number() }).partial(),
  nested: z.object({ list: z.array(z.object({ a: z.union([z.string(), z.number()]) })) }),
  intersection: z.object({ a: z.string() }).and(z.object({ b: z.number() })),
  discriminatedUnion: z.discriminatedUnion('t', [
    z.object({ t: z.literal('a'), a: z.string() }),
    z.object({ t: z.literal('b') }),
  ]),
  never: z.never(),
  unknown: z.unknown(),
  tree,
}

const arrays: typeof schemas = {
  tuple: z.tuple([z.string(), z.number()]),
  'empty tuple': z.tuple([]),
  'tuple with rest': z.tuple([z.string()]).rest(z.number()),
  'rest alone': z.tuple([]).rest(z.number()),
}

const scalar = fc.oneof(
  fc.constantFrom(
    null,
    true,
    'a',
    'b',
    'az',
    'aZ',
    'abz',
    'a.[xz)',
    'ada@x.io',
    'x@y',
    '0123',
    'abcd',
    'abxx',
    '00000000-0000-0000-0000-000000000000',
  ),
  fc.integer({ min: -2, max: 10 }),
  fc.constantFrom(1.5, 3.5, 9),
  fc.uuid(),
  fc.ulid(),
  fc.base64String({ maxLength: 8 }),
  fc.string({ maxLength: 5 }),
)
const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 't', 'list', 'name', 'children')
const json: fc.Arbitrary<unknown> = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.dictionary(key, tie('any'), { maxKeys: 4, noNullPrototype: true }),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.record({ name: fc.string(), children: fc.array(tie('any'), { maxLength: 2 }) }, { noNullPrototype: true }),
    fc.record(
      { a: fc.string(), b: fc.integer(), t: fc.constantFrom('a', 'b') },
      { requiredKeys: ['a'], noNullPrototype: true },
    ),
  ),
})).any

describe.each<Target>(['draft-2020-12', 'draft-7', 'openapi-3.0'])('NC2: ajv agrees with z on %s', (target) => {
  const all = target === 'openapi-3.0' ? schemas : { ...schemas, ...arrays }
  test.each(Object.entries(all))('%s', (_, schema) => {
    const described = toJsonSchema(schema, { target })
    const accepts = validatorOf(described, target)
    fc.assert(
      fc.property(json, (value) => {
        expect({ value, described, accepted: accepts(value) }).toEqual({
          value,
          described,
          accepted: schema.safeParse(value).success,
        })
      }),
      { numRuns: runs(300, 15) },
    )
  })
})

describe.each<Target>(['draft-2020-12', 'draft-7', 'openapi-3.0'])(
  'ajv with formats, in strict mode, on %s',
  (target) => {
    const strict = (schema: object): ((value: unknown) => boolean) => {
      const options = { strict: true, strictTypes: false, allowUnionTypes: true } as const
      const ajv = target === 'draft-2020-12' ? new Ajv2020(options) : new Ajv(options)
      addFormats(ajv as never)
      return ajv.compile(target === 'openapi-3.0' ? modern(schema) : schema)
    }

    test.each<[string, z.AnySchema, readonly unknown[]]>([
      ['a time', z.string().time(), ['12:30', '12:30:00', '12:30:00.5']],
      ['a time of milliseconds', z.string().time({ precision: 3 }), ['12:30:00.123']],
      ['a time without seconds', z.string().time({ precision: -1 }), ['12:30']],
      ['a time of zod 4', z.iso.time({ precision: 0 }), ['12:30:00']],
      ['a local day and time', z.string().datetime({ local: true }), ['2026-01-01T12:30:00', '2026-01-01T12:30:00Z']],
      [
        'a local day and time with a zone',
        z.iso.datetime({ local: true, offset: true }),
        ['2026-01-01T12:30:00+02:00'],
      ],
      ['a day and time to the minute', z.iso.datetime({ precision: -1 }), ['2026-01-01T12:30Z']],
      ['a day and time', z.iso.datetime({ offset: true }), ['2026-01-01T12:30:00Z', '2026-01-01T12:30:00+02:00']],
      ['a day', z.string().date(), ['2028-02-29']],
      ['a duration', z.string().duration(), ['P1DT12H', '-P1.5D', `PT${0},5S`]],
      ['a duration of zod 4', z.iso.duration(), ['P1DT12H', 'PT0.5S', 'P3W']],
      ['a token', z.string().jwt(), ['eyJhbGciOiJIUzI1NiJ9.e30.x']],
      ['a network', z.string().cidr(), ['10.0.0.0/8', '2001:db8::/32', '::ffff:1.2.3.4/96']],
      ['an address', z.string().ip(), ['10.0.0.1', '::1', '::ffff:1.2.3.4']],
      ['a number without an upper bound', z.number().max(Number.POSITIVE_INFINITY), [5]],
      ['a number without a lower bound', z.number().min(Number.NEGATIVE_INFINITY), [5]],
      ['no number', z.number().min(Number.POSITIVE_INFINITY), []],
      ['a number beyond no number', z.number().max(Number.NaN), []],
      ['a multiple of a negative number', z.number().multipleOf(-2), [4, -4]],
      ['multiples of two numbers', z.number().multipleOf(-2).multipleOf(3), [6]],
      ['a multiple of 0', z.number().multipleOf(0), []],
      ['a text of a broken length', z.string().min(1.5).max(2.5), ['ab']],
      ['a text of a length below 0', z.string().max(-1), []],
      ['a text of a length from below 0', z.string().min(-1), ['']],
      ['a list without an upper bound', z.array(z.any()).max(Number.POSITIVE_INFINITY), [[1]]],
      ['an enum', z.enum(['a', 'b']), ['a']],
      ['an enum of texts and numbers', z.nativeEnum({ a: 1, b: 'b' }), [1, 'b']],
      ['a literal', z.literal('a'), ['a']],
      ['an enum or null', z.enum(['a', 'b']).nullable(), ['a', null]],
      ['words about a schema', z.string().meta({ id: 'Name', owner: 'x', title: 'Name', examples: ['a'] }), ['a']],
      [
        'an alternative with a default key',
        z.discriminatedUnion('t', [
          z.object({ t: z.literal('a').default('a') }),
          z.object({ t: z.literal('b'), b: z.number() }),
        ]),
        [{ t: 'a' }, { t: 'b', b: 1 }],
      ],
      [
        'an alternative that may lack its key',
        z.discriminatedUnion('t', [z.object({ t: z.literal('a').optional() }), z.object({ t: z.literal('b') })]),
        [{}, { t: 'b' }],
      ],
    ])('accepts what is written for %s, and every value', (_, schema, values) => {
      const accepts = strict(toJsonSchema(schema, { target }))
      for (const value of values)
        expect({ value, z: schema.safeParse(value).success, ajv: accepts(value) }).toEqual({
          value,
          z: true,
          ajv: true,
        })
      for (const value of ['', 'x', -1, 1, 5, 3, 'abc', null, true, [], {}, { t: 'c' }]) {
        const taken = schema.safeParse(value).success
        expect({ value, ajv: taken || accepts(value) }).toEqual({ value, ajv: taken })
      }
    })
  },
)

test('NC4: what is no keyword of JSON Schema is left out, what begins with x- is kept', () => {
  const schema = z.string().meta({ id: 'a', owner: 'b', 'x-owner': 'c', deprecated: true, example: 'd' })
  expect({
    draft: toJsonSchema(schema),
    openapi: toJsonSchema(schema, { target: 'openapi-3.0' }),
  }).toEqual({
    draft: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'string',
      'x-owner': 'c',
      deprecated: true,
    },
    openapi: { type: 'string', 'x-owner': 'c', deprecated: true, example: 'd' },
  })
})

const patternOf = (pattern: RegExp): unknown => toJsonSchema(z.string().regex(pattern)).pattern

describe('the pattern of a string', () => {
  const texts = [
    '',
    'a',
    'A',
    'b',
    'B',
    'm',
    'M',
    'z',
    '-',
    '.',
    '\n',
    'a\nb',
    'aXb',
    'ab',
    'AB',
    '5',
    'é',
    '^-',
    'xa',
    'x\na',
  ]

  test.each([
    /a.b/,
    /a.b/s,
    /^[.]$/s,
    /^a$/i,
    /^[a-m]$/i,
    /^[A-M]$/i,
    /^[aB]$/i,
    /^\x41$/i,
    /^\u0041$/i,
    /^[\x41]$/i,
    /^\u{41}$/iu,
    /^\x35$/i,
    /^\x41$/,
    /^-$/,
    /^[-a]$/,
    /^[\w-]$/i,
    /^a$/,
    /a/y,
    /a|b/y,
    /^[^a-z]$/i,
    /^(?<name>a)\k<name>?$/,
    /^[-aB]$/i,
    /^[^-a]$/i,
    /^a-z$/i,
    /^[*-z]$/,
    /^\p{L}$/u,
  ])('of %s fits the same texts without flags', (pattern) => {
    const rewritten = new RegExp(patternOf(pattern) as string, 'u')
    const fitting = (by: RegExp): string[] =>
      texts.filter((text) => {
        by.lastIndex = 0
        return by.test(text)
      })
    expect(fitting(rewritten)).toEqual(fitting(pattern))
  })

  // As texts: the compiler refuses two of them
  test.each([
    ['^a$', 'm'],
    ['[a--b]', 'v'],
    ['a{', ''],
    ['\\u{1}\\c', ''],
    ['^[A-z]$', 'i'],
    ['^[0-F]$', 'i'],
    ['^[a-}]$', 'i'],
    ['^[\\x41-Z]$', 'i'],
    ['é', 'i'],
    ['^[\\u00e0-\\u00ed]$', 'i'],
    ['(?<x>a)\\k<x>', 'i'],
    ['(a)\\1', 'i'],
    ['^\\p{Lu}$', 'iu'],
  ])('of /%s/%s cannot be said, and is left out', (source, flags) => {
    expect(patternOf(new RegExp(source, flags))).toBeUndefined()
  })
})

describe('the JSON Schema that is generated', () => {
  test.each([
    ['a tuple', z.tuple([z.string(), z.number()]), { minItems: 2, maxItems: 2 }, ['string', 'number']],
    ['a tuple with rest', z.tuple([z.string()]).rest(z.number()), { minItems: 1 }, ['string', 'number']],
  ])('OpenAPI 3.0 has no tuples: %s is a list of any of its items', (_, schema, size, types) => {
    expect(toJsonSchema(schema, { target: 'openapi-3.0' })).toEqual({
      type: 'array',
      items: { anyOf: types.map((type) => ({ type })) },
      ...size,
    })
  })

  test('OpenAPI 3.0 has no tuples: an empty one is a list without items', () => {
    expect(toJsonSchema(z.tuple([]), { target: 'openapi-3.0' })).toEqual({
      type: 'array',
      items: {},
      minItems: 0,
      maxItems: 0,
    })
  })

  test.each([
    ['a list and a record', { a: [1, 'x', null, { b: true }] }, true],
    ['a date', new Date(0), false],
    ['a number without an end', Number.POSITIVE_INFINITY, false],
    ['a list with a bigint', [1n], false],
  ])('a default is written if JSON can say it: %s', (_, value, written) => {
    expect('default' in toJsonSchema(z.any().default(value))).toBe(written)
  })

  const Linked: z.AnySchema = z.object({
    id: z.number(),
    next: z.lazy(() => Linked.optional()),
  })

  test.each<[string, z.AnySchema, unknown]>([
    ['a record whose keys are coerced to numbers', z.record(z.coerce.number(), z.string()), { 1: 'a' }],
    [
      'objects below the same key of both sides of an intersection',
      z.object({ at: z.object({ x: z.number() }) }).and(z.object({ at: z.object({ y: z.array(z.object({})) }) })),
      { at: { x: 1, y: [{}] } },
    ],
    [
      'a schema that holds itself, alone and then in an intersection',
      z.object({ alone: Linked, both: Linked.and(z.object({ x: z.number() })) }),
      { alone: { id: 1, next: { id: 2 } }, both: { id: 3, next: { id: 4 }, x: 5 } },
    ],
    ['a record whose keys are coerced to booleans', z.record(z.coerce.boolean(), z.string()), { true: 'a' }],
    ['a record of keys that may be null', z.record(z.coerce.number().nullable(), z.string()), { 1: 'a' }],
  ])('what is given fits the document of outputs: %s', (_, schema, value) => {
    const ajv = new Ajv2020({ strict: false })
    expect(ajv.validate(toJsonSchema(schema, { io: 'output' }), schema.parse(value))).toBe(true)
  })

  test('a union of nothing but undefined has no words', () => {
    expect(toJsonSchema(z.union([z.undefined(), z.void()]), { unrepresentable: 'any' })).toMatchObject({
      anyOf: [{}, {}],
    })
  })

  test('the dialect is named, where it has a name', () => {
    expect(toJsonSchema(z.string())).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'string',
    })
    expect(toJsonSchema(z.string(), { target: 'draft-7' }).$schema).toBe('http://json-schema.org/draft-07/schema#')
    expect(toJsonSchema(z.string().nullable(), { target: 'openapi-3.0' })).toEqual({ type: 'string', nullable: true })
  })

  test('a field whose refine refuses undefined is required', () => {
    const schema = z.object({
      file: z.instanceof(Map),
      some: z
        .string()
        .optional()
        .refine((text) => text !== undefined),
      any: z
        .string()
        .optional()
        .refine(() => true),
      later: z.any().refine(async () => false),
    })
    expect(toJsonSchema(schema, { unrepresentable: 'any' }).required).toEqual(['file', 'some'])
  })

  test('descriptions, defaults and formats', () => {
    const schema = z.object({
      at: z.string().datetime().describe('when'),
      page: z.number().default(1),
      site: z.string().url(),
      on: z.string().date(),
    })
    expect(toJsonSchema(schema).properties).toEqual({
      at: { type: 'string', format: 'date-time', description: 'when' },
      page: { type: 'number', default: 1 },
      site: { type: 'string', format: 'uri' },
      on: { type: 'string', format: 'date' },
    })
  })

  test('input and output differ', () => {
    const schema = z.object({
      a: z.string().default('x'),
      b: z.coerce.number(),
      c: z.string().pipe(z.string().max(3)),
      d: z.stringbool(),
    })
    expect(toJsonSchema(schema)).toMatchObject({
      required: ['c', 'd'],
      properties: { b: {}, c: { type: 'string' }, d: { type: 'string' } },
    })
    expect(toJsonSchema(schema, { io: 'output' })).toMatchObject({
      required: ['a', 'b', 'c', 'd'],
      additionalProperties: false,
      properties: { b: { type: 'number' }, c: { maxLength: 3 }, d: { type: 'boolean' } },
    })
  })

  test('a pipe may be missing as its first schema says in the input, and as its last says in the output', () => {
    const schema = z.object({
      from: z
        .string()
        .optional()
        .pipe(z.any().refine((value) => value !== undefined)),
      to: z.string().pipe(z.string().optional()),
    })
    expect({
      input: toJsonSchema(schema).required,
      output: toJsonSchema(schema, { io: 'output' }).required,
    }).toEqual({ input: ['to'], output: ['from'] })
  })

  test.each<[string, z.AnySchema]>([
    ['bigint', z.bigint()],
    ['date', z.date()],
    ['map', z.map(z.string(), z.string())],
    ['set', z.set(z.string())],
    ['undefined', z.undefined()],
    ['symbol', z.symbol()],
    ['nan', z.nan()],
    ['void', z.void()],
    ['literal(bigint)', z.literal(5n)],
    ['literal', z.literal([5n, 'a'])],
    ['literal', z.literal([Number.NaN])],
  ])('%s has no words in JSON Schema', (name, schema) => {
    expect(() => toJsonSchema(schema)).toThrow(new TypeError(`toJsonSchema: JSON Schema cannot express ${name}()`))
    expect(toJsonSchema(schema, { unrepresentable: 'any', target: 'openapi-3.0' })).toEqual({})
  })

  test('undefined in a list of literals is a key that may be missing, and no null', () => {
    const schema = z.object({ a: z.literal([undefined, 'x']), b: z.literal([undefined]), c: z.literal([null]) })
    expect(toJsonSchema(schema)).toMatchObject({
      properties: { a: { enum: ['x'] }, b: { not: {} }, c: { enum: [null] } },
      required: ['c'],
    })
  })

  // any: options that the compiler refuses
  test.each<[object, any, string]>([
    [
      z.string(),
      { target: 'draft-4' },
      'toJsonSchema: target: expected one of draft-2020-12, draft-7, openapi-3.0, got "draft-4"',
    ],
    [z.string(), { taget: 'draft-7' }, 'toJsonSchema: taget: unknown option, did you mean "target"?'],
    [z.string(), { override: () => {} }, 'toJsonSchema: override: unknown option, expected one of target, io'],
    [z.string(), { io: 'out' }, 'toJsonSchema: io: expected "input" or "output", got "out"'],
    [z.string(), { unrepresentable: 'no' }, 'toJsonSchema: unrepresentable: expected "throw" or "any", got "no"'],
    [{}, {}, 'toJsonSchema: schema: expected a schema of z, got {}'],
    [z.registry(), {}, 'toJsonSchema: schema: expected a schema of z, got'],
    [undefined as never, {}, 'toJsonSchema: schema: expected a schema of z, got undefined'],
  ])('a bad schema or option is refused: %#', (schema, options, message) => {
    expect(() => toJsonSchema(schema as z.AnySchema, options)).toThrow(message)
  })

  test('V22: `useJsonSchema` gives every schema its part of Standard JSON Schema', () => {
    expect(z.string()['~standard']).not.toHaveProperty('jsonSchema')
    useJsonSchema()
    const standard = z.object({ a: z.string() })['~standard'] as { jsonSchema?: { input: (o: object) => object } }
    expect(standard.jsonSchema?.input({ target: 'draft-07' })).toMatchObject({ required: ['a'] })
  })

  test('V22: Standard JSON Schema', () => {
    const { jsonSchema } = withJsonSchema(z.object({ a: z.string().default('x') }))['~standard']
    expect(jsonSchema.input({ target: 'draft-07' })).not.toHaveProperty('required')
    expect(jsonSchema.output({ target: 'draft-2020-12' })).toMatchObject({ required: ['a'] })
    expect(() => jsonSchema.input({ target: 'draft-3' })).toThrow(TypeError)
  })
})
