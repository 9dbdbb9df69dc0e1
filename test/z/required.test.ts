import { describe, expect, test } from 'vitest'
import { toJsonSchema } from '../../src/z/to-json-schema.ts'
import * as z from '../../src/zod3.ts'

const optional = z.string().optional()
const text = z.string()
const loop: z.AnySchema = z.lazy(() => loop)
const chain: z.AnySchema = z.lazy(() => chain.optional())

describe('a key may be missing in the input, or in the output', () => {
  test.each<[string, z.AnySchema, boolean, boolean]>([
    ['a string', text, false, false],
    ['an optional', optional, true, true],
    ['undefined', z.undefined(), true, true],
    ['void', z.void(), true, true],
    ['any', z.any(), true, true],
    ['unknown', z.unknown(), true, true],
    ['an enum', z.enum(['a']), false, false],
    ['a default', text.default('x'), true, false],
    ['a default of an optional', optional.default('x'), true, false],
    ['a catch', text.catch('x'), true, false],
    ['a catch of an optional', optional.catch('x'), true, true],
    ['a union with an optional', z.union([text, optional]), true, true],
    ['a union without an optional', z.union([text, z.number()]), false, false],
    ['an intersection of optionals', z.intersection(optional, z.string().min(1).optional()), true, true],
    ['an intersection with an optional on the left', z.intersection(optional, text), false, false],
    ['an intersection with an optional on the right', z.intersection(text, optional), false, false],
    ['an intersection without an optional', z.intersection(text, text), false, false],
    ['a pipe from an optional', optional.pipe(z.any().pipe(text)), true, false],
    ['a pipe to an optional', text.pipe(optional), false, true],
    ['a preprocess of a string', z.preprocess((value) => value ?? 'x', text), true, false],
    ['a preprocess of an optional', z.preprocess((value) => value, optional), true, true],
    ['a transform of a string', text.transform((value) => value), false, true],
    ['a transform of an optional', optional.transform((value) => value ?? ''), true, true],
    ['a refine of an optional', optional.refine(() => true), true, true],
    ['a refine that refuses undefined', optional.refine((value) => value !== undefined), false, false],
    ['a refine that throws', optional.refine(() => JSON.parse('{')), true, true],
    ['a refine of a string', text.refine(() => true), false, false],
    ['a brand of an optional', optional.brand<'a'>(), true, true],
    ['a brand of a string', text.brand<'a'>(), false, false],
    ['a readonly of an optional', optional.readonly(), true, true],
    ['a readonly of a string', text.readonly(), false, false],
    ['a nullable of an optional', optional.nullable(), true, true],
    ['a nullable of a string', text.nullable(), false, false],
    ['a coerced string', z.coerce.string(), true, false],
    ['a coerced number', z.coerce.number(), true, false],
    ['a lazy optional', z.lazy(() => optional), true, true],
    ['a lazy string', z.lazy(() => text), false, false],
    ['a lazy schema that is only itself', loop, false, false],
    ['a lazy schema that is an optional of itself', chain, true, true],
  ])('V18: %s', (_, schema, input, output) => {
    const missing = (io: 'input' | 'output'): boolean => {
      const { required = [] } = toJsonSchema(z.object({ key: schema }), { io, unrepresentable: 'any' })
      return !(required as string[]).includes('key')
    }
    expect({ input: missing('input'), output: missing('output') }).toEqual({ input, output })
  })
})

test('V18: a transform that returns NEVER without an issue is a failure', () => {
  const result = z
    .any()
    .transform(() => z.NEVER)
    .safeParse(1)
  expect({ success: result.success, issues: result.error?.issues }).toEqual({ success: false, issues: [] })
})
