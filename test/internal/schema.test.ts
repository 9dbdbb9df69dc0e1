import { describe, expect, test } from 'vitest'
import * as zod4 from 'zod'
import { z as zod3 } from 'zod/v3'
import { publicIssues } from '../../src/internal/public-issues.ts'
import { isSchema, runSchema } from '../../src/internal/schema.ts'
import { type Issue, ValidationError } from '../../src/internal/validation-error.ts'

const standard = (validate: (value: unknown) => unknown) => ({ '~standard': { version: 1, vendor: 'test', validate } })

describe('a value that fits', () => {
  test.each([
    ['Standard Schema', standard((value) => ({ value })), 1, 1],
    ['an asynchronous Standard Schema', standard(async (value) => ({ value })), 1, 1],
    ['safeParse alone', { safeParse: (data: unknown) => ({ success: true, data }) }, 1, 1],
    ['an asynchronous safeParse', { safeParse: async (data: unknown) => ({ success: true, data }) }, 1, 1],
    ['zod 3', zod3.object({ a: zod3.coerce.number() }), { a: '7' }, { a: 7 }],
    ['zod 4', zod4.object({ a: zod4.coerce.number() }), { a: '7' }, { a: 7 }],
    ['zod 4 with an asynchronous check', zod4.string().refine(async () => true), 'x', 'x'],
    ['a schema that gives undefined', { safeParse: () => ({ success: true, data: undefined }) }, 1, undefined],
  ])('MV8: %s', async (_, schema, input, value) => {
    expect(await runSchema(schema, input)).toEqual({ value })
  })

  test('a synchronous schema gives no promise', () => {
    expect(runSchema(zod3.string(), 'x')).toEqual({ value: 'x' })
  })

  test('Standard Schema goes before safeParse, which may refuse to be asynchronous', async () => {
    const schema = zod4.string().refine(async (value) => value === 'x', 'not x')
    expect(() => schema.safeParse('y')).toThrow()
    expect(await runSchema(schema, 'y')).toMatchObject({ issues: [{ message: 'not x' }] })
  })
})

describe('a value that does not fit', () => {
  test.each<[string, Parameters<typeof runSchema>[0], object[]]>([
    [
      'zod 3',
      zod3.object({ a: zod3.string() }),
      [{ code: 'invalid_type', expected: 'string', received: 'undefined', path: ['a'] }],
    ],
    ['zod 4', zod4.object({ a: zod4.string() }), [{ code: 'invalid_type', expected: 'string', path: ['a'] }]],
    [
      'path segments are unwrapped, a symbol becomes text, the code is filled in',
      standard(() => ({ issues: [{ message: 'no', path: [{ key: 'a' }, 0, Symbol('s')] }] })),
      [{ code: 'custom', message: 'no', path: ['a', 0, 'Symbol(s)'] }],
    ],
    [
      'an issue without a path',
      standard(() => ({ issues: [{ message: 'no' }] })),
      [{ code: 'custom', message: 'no', path: [] }],
    ],
    [
      'a failure without issues',
      { safeParse: () => ({ success: false }) },
      [{ code: 'custom', message: 'Invalid input', path: [] }],
    ],
  ])('MV3: %s', async (_, schema, issues) => {
    expect(await runSchema(schema, {})).toMatchObject({ issues })
  })

  test.each([
    ['zod 3', zod3.union([zod3.string(), zod3.number()])],
    ['zod 4', zod4.union([zod4.string(), zod4.number()])],
  ])('X13: issues of a union of %s can be formatted', async (_, schema) => {
    const outcome = (await runSchema(schema, true)) as { issues: Issue[] }
    expect(new ValidationError(outcome.issues).format()._errors.length).toBeGreaterThan(0)
  })
})

describe('issues in an answer', () => {
  const issue = (more: object): Issue => ({ code: 'custom', path: ['a'], message: 'no', ...more }) as Issue

  test.each([
    ['path, message and code stay', issue({}), { path: ['a'], message: 'no', code: 'custom' }],
    [
      'the type received stays',
      issue({ code: 'invalid_type', expected: 'string', received: 'number' }),
      { path: ['a'], message: 'no', code: 'invalid_type', expected: 'string', received: 'number' },
    ],
    [
      'a literal received does not',
      issue({ code: 'invalid_literal', expected: 'x', received: 'secret' }),
      { path: ['a'], message: 'no', code: 'invalid_literal', expected: 'x' },
    ],
    [
      'nor does what another library adds',
      issue({ input: 'secret', received: '"secret"' }),
      { path: ['a'], message: 'no', code: 'custom' },
    ],
  ])('MV9: %s', (_, given, expected) => {
    expect(publicIssues([given])).toEqual([expected])
  })

  test('at most 100 leave, so that a large body makes no larger answer', () => {
    expect(publicIssues(Array.from({ length: 100 }, () => issue({})))).toHaveLength(100)
    expect(publicIssues(Array.from({ length: 100_000 }, () => issue({})))).toHaveLength(100)
  })
})

test.each([
  ['Standard Schema', standard(() => ({})), true],
  ['safeParse', { safeParse: () => ({}) }, true],
  [
    'a function that carries ~standard',
    Object.assign(
      () => 1,
      standard(() => ({})),
    ),
    true,
  ],
  ['nothing', undefined, false],
  ['null', null, false],
  ['an empty object', {}, false],
  ['a schema of an older kind', { validate: () => ({}) }, false],
])('isSchema tells %s', (_, value, expected) => {
  expect(isSchema(value)).toBe(expected)
})
