import fc from 'fast-check'
import type { Target } from '../../src/z/to-json-schema.ts'
import * as z from '../../src/zod3.ts'

/** A schema that JSON Schema can say, and values for it. */
export interface Made {
  readonly schema: z.AnySchema
  readonly value: fc.Arbitrary<unknown>
}

const text = fc.oneof(
  fc.string({ maxLength: 6, unit: 'grapheme-ascii' }),
  fc.constantFrom('', 'a', 'A', 'abc', 'a.b', 'a-b', 'x@y.io', 'ada@x.io', '00000000-0000-0000-0000-000000000000', 'K'),
)
/** Values of JSON. */
export const noise = fc.oneof(
  text,
  fc.integer({ min: -3, max: 12 }),
  fc.constantFrom(null, true, false, 1.5, [], {}, [1], ['a'], { a: 1 }, { a: 'a', b: 2 }),
)

const PATTERNS = [
  /^a/,
  /z$/i,
  /\x41/,
  /\u0061b/i,
  /^[a-c\-_]+$/i,
  /@/,
  /(?<first>a)\k<first>/,
  /^.$/s,
  /a/y,
  /\./,
  /[\w.]+-/,
  /\d{2,}/,
] as const

const strings: fc.Arbitrary<Made> = fc
  .array(
    fc.oneof(
      fc.tuple(fc.constantFrom('min', 'max', 'length'), fc.integer({ min: 0, max: 5 })),
      fc.tuple(fc.constant('regex'), fc.constantFrom(...PATTERNS)),
      fc.tuple(fc.constantFrom('startsWith', 'endsWith', 'includes'), fc.constantFrom('a', '.', '(', 'a-b', '$')),
      fc.tuple(fc.constantFrom('email', 'uuid', 'ulid', 'cuid2', 'nanoid', 'base64', 'base64url')),
    ),
    { maxLength: 3 },
  )
  .map((steps) => ({
    // any: methods by name.
    schema: steps.reduce((made: any, [method, ...args]) => made[method](...args), z.string()),
    value: text,
  }))

const numbers: fc.Arbitrary<Made> = fc
  .array(
    fc.oneof(
      fc.tuple(fc.constantFrom('min', 'max', 'gt', 'lt', 'gte', 'lte'), fc.integer({ min: -2, max: 8 })),
      fc.tuple(fc.constant('multipleOf'), fc.constantFrom(2, 3)),
      fc.tuple(fc.constantFrom('int', 'positive', 'negative', 'nonnegative', 'nonpositive', 'finite', 'safe')),
    ),
    { maxLength: 3 },
  )
  .map((steps) => ({
    // any: methods by name.
    schema: steps.reduce((made: any, [method, ...args]) => made[method](...args), z.number()),
    value: fc.oneof(fc.integer({ min: -3, max: 12 }), fc.constantFrom(0.5, 2.5, 6)),
  }))

const fixed = (schema: unknown, ...values: readonly unknown[]): Made => ({
  schema: schema as z.AnySchema,
  value: fc.constantFrom(...values),
})

const leaves: fc.Arbitrary<Made> = fc.oneof(
  strings,
  numbers,
  fc.constantFrom(
    fixed(z.boolean(), true, false),
    fixed(z.null(), null),
    fixed(z.any(), 1, 'a', null),
    fixed(z.never(), 1),
    fixed(z.literal('a'), 'a', 'b'),
    fixed(z.literal(5), 5, 6),
    fixed(z.enum(['a', 'b']), 'a', 'c'),
    fixed(z.nativeEnum({ low: 0, high: 'h' }), 0, 'h', 'low'),
    fixed(z.stringbool(), 'Yes', 'no', 'maybe', 'TRUE'),
    fixed(z.stringbool({ truthy: ['Ja'], falsy: ['Nein'], case: 'sensitive' }), 'Ja', 'ja'),
  ),
)

/** Not `__proto__`, which ajv passes over. */
const keys = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'constructor'), { maxLength: 3 })

const objectOf = (parts: readonly (readonly [string, Made])[]): Made => ({
  schema: z.object(Object.fromEntries(parts.map(([key, { schema }]) => [key, schema]))) as never,
  value: fc
    .tuple(
      fc.tuple(...parts.map(([, { value }]) => fc.option(value, { nil: undefined, freq: 6 }))),
      fc.dictionary(fc.constantFrom('x', 'y'), noise, { maxKeys: 1, noNullPrototype: true }),
    )
    .map(([values, more]) => {
      const own = parts.map(([key], index) => [key, values[index]] as const).filter(([, value]) => value !== undefined)
      return { ...more, ...Object.fromEntries(own) }
    }),
})

const objects = (inner: fc.Arbitrary<Made>): fc.Arbitrary<Made> =>
  keys
    .chain((names) => fc.tuple(...names.map((name) => inner.map((made) => [name, made] as const))))
    .chain((parts) =>
      fc
        .tuple(
          fc.constant(objectOf(parts)),
          fc.constantFrom('none', 'strict', 'passthrough', 'partial', 'catchall'),
          inner,
        )
        .map(([{ schema, value }, method, rest]) => ({
          // any: methods by name.
          schema: method === 'none' ? schema : (schema as any)[method](method === 'catchall' ? rest.schema : undefined),
          value,
        })),
    )

const recursive: fc.Arbitrary<Made> = leaves.map((leaf) => {
  const node: z.AnySchema = z.object({ value: leaf.schema, next: z.lazy(() => node).optional() }) as never
  const byGetter: z.AnySchema = z.object({
    value: leaf.schema,
    get next(): z.AnySchema {
      return byGetter.optional()
    },
  }) as never
  const { next } = fc.letrec((tie) => ({
    next: fc.record({ value: leaf.value, next: tie('next') }, { requiredKeys: ['value'], noNullPrototype: true }),
  }))
  return { schema: z.union([node, byGetter]) as never, value: next! }
})

const compound = (inner: fc.Arbitrary<Made>, target: Target): fc.Arbitrary<Made>[] => [
  objects(inner),
  inner.map(({ schema, value }) => ({
    schema: z.array(schema).max(3) as never,
    value: fc.array(value, { maxLength: 4 }),
  })),
  inner.map(({ schema, value }) => ({
    schema: z.record(schema) as never,
    value: fc.dictionary(fc.constantFrom('a', 'b', 'constructor'), value, { maxKeys: 2, noNullPrototype: true }),
  })),
  // OpenAPI 3.0 cannot say which item has which schema.
  ...(target === 'openapi-3.0'
    ? []
    : [
        fc.tuple(inner, inner).map(([one, two]) => ({
          schema: z.tuple([one.schema, two.schema]) as never,
          value: fc.oneof(fc.tuple(one.value, two.value), fc.tuple(one.value)),
        })),
        fc.tuple(inner, inner).map(([one, two]) => ({
          schema: z.tuple([one.schema]).rest(two.schema) as never,
          value: fc.tuple(one.value, two.value, two.value),
        })),
      ]),
  fc.tuple(inner, inner).map(([one, two]) => ({
    schema: z.union([one.schema, two.schema]) as never,
    value: fc.oneof(one.value, two.value),
  })),
  inner.map(({ schema, value }) => ({ schema: schema.nullable() as never, value: fc.option(value) })),
  inner.map(({ schema, value }) => ({ schema: schema.optional() as never, value })),
  inner.map(({ schema, value }) => ({
    schema: schema
      .refine(() => true)
      .readonly()
      .brand()
      .describe('x') as never,
    value,
  })),
  inner.map(({ schema, value }) => ({ schema: z.lazy(() => schema) as never, value })),
  inner.map((made) => ({
    schema: z.object({ a: made.schema }).and(z.object({ b: z.number() })) as never,
    value: noise,
  })),
  recursive,
]

/** Any schema that the target can say, up to four levels deep. */
export const madeFor = (target: Target): fc.Arbitrary<Made> =>
  fc.letrec<{ any: Made }>((tie) => ({
    any: fc.oneof({ maxDepth: 3, depthSize: 'small' }, leaves, ...compound(tie('any'), target)),
  })).any
