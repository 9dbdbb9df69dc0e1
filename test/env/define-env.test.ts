import { afterEach, describe, expect, expectTypeOf, test, vi } from 'vitest'
import { z } from 'zod'
import { defineEnv, EnvError } from '../../src/env/define-env.ts'
import { bindEnv } from '../../src/env.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  bindEnv({})
})

const failure = (run: () => unknown): EnvError => {
  try {
    run()
  } catch (error) {
    if (error instanceof EnvError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('N5: defineEnv', () => {
  const shape = { PORT: z.coerce.number().int(), URL: z.url(), MODE: z.enum(['dev', 'prod']).default('dev') }

  test('gives the parsed values, typed and frozen', () => {
    const values = defineEnv(shape, { source: { PORT: '80', URL: 'https://a.example', OTHER: 'x' } })
    expect(values).toEqual({ PORT: 80, URL: 'https://a.example', MODE: 'dev' })
    expectTypeOf(values).toEqualTypeOf<{ readonly PORT: number; readonly URL: string; readonly MODE: 'dev' | 'prod' }>()
    expect(Object.isFrozen(values)).toBe(true)
  })

  test.each<[string, z.ZodType, unknown]>([
    ['a coerced number has its default', z.coerce.number().default(3000), 3000],
    ['a word for a boolean has its default', z.stringbool().default(false), false],
    ['a choice has its default', z.enum(['a', 'b']).default('a'), 'a'],
    ['an optional URL is absent', z.url().optional(), undefined],
  ])('NC7: an empty variable counts as absent: %s', (_, schema, value) => {
    expect({
      each: defineEnv({ V: schema }, { source: { V: '' } }).V,
      whole: defineEnv(z.object({ V: schema }), { source: { V: '' } }).V,
    }).toEqual({ each: value, whole: value })
  })

  test('NC7: an empty variable that is required is missing', () => {
    expect(failure(() => defineEnv({ PORT: z.coerce.number() }, { source: { PORT: '' } })).issues).toHaveLength(1)
  })

  test('NC7: a schema that throws is one issue of the list, without the value', () => {
    const parse = z.string().transform((text) => JSON.parse(text))
    const source = { LIMITS: 'hunter2', PORT: 'x' }
    expect({
      each: failure(() => defineEnv({ LIMITS: parse, PORT: z.coerce.number() }, { source })).issues.map(
        ({ name }) => name,
      ),
      whole: failure(() => defineEnv(z.object({ LIMITS: parse }), { source })).message,
    }).toEqual({
      each: ['LIMITS', 'PORT'],
      whole: 'Invalid environment:\n  the environment: the schema threw an error, or is asynchronous',
    })
  })

  test('reads what env(name) sees', () => {
    vi.stubEnv('SLUICE_A', 'process')
    vi.stubEnv('SLUICE_B', 'process')
    bindEnv({ SLUICE_B: 'bound' })
    expect(defineEnv({ SLUICE_A: z.string(), SLUICE_B: z.string() })).toEqual({
      SLUICE_A: 'process',
      SLUICE_B: 'bound',
    })
  })

  test.each([
    ['one schema for each', shape],
    ['one schema of an object', z.object(shape)],
  ])('lists every bad variable at once: %s', (_, schema) => {
    const error = failure(() => defineEnv(schema, { source: { PORT: 'x', MODE: 'dev' } }))
    expect(error.issues.map((issue) => issue.name)).toEqual(['PORT', 'URL'])
    expect(error.message).toMatch(/^Invalid environment:\n {2}PORT: .+\n {2}URL: .+$/)
  })

  test('one schema of an object gives its values', () => {
    const values = defineEnv(z.object({ A: z.string() }), { source: { A: 'x', B: 'y' } })
    expectTypeOf(values).toEqualTypeOf<Readonly<{ A: string }>>()
    expect(values).toEqual({ A: 'x' })
  })

  const echo = (text: (value: unknown) => string) =>
    z.any().superRefine((value, ctx) => ctx.addIssue({ code: 'custom', message: text(value) }))

  test.each<[string, string, (value: unknown) => string, boolean]>([
    ['the value', 'hunter2', (value) => `got ${value}`, true],
    ['the value in other case', 'Hunter2', (value) => `got ${String(value).toLowerCase()}`, true],
    ['a short value', '5', (value) => `got ${value}`, true],
    ['a part of the value', 'pg://ann:hunter2@db', () => 'bad password hunter2', true],
    ['a number that has the value in it', '5', () => 'at most 50', false],
    ['nothing of it', 'hunter2', () => 'too weak', false],
    ['a part of a value that is longer than a pattern can be', 'x9!'.repeat(40_000), () => 'it is 0x9', false],
    ['the whole of a value of 40,000 characters', 'x'.repeat(40_000), (value) => `got ${value}`, true],
    ['anything, for an empty value', '', () => 'is empty', false],
    ['nothing of a value without letters', '-', () => 'is too short', false],
    ['a value without letters', '--', (value) => `got ${value}`, true],
  ])('never prints a value: a message that repeats %s', (_, value, text, withheld) => {
    const error = failure(() => defineEnv({ SECRET: echo(text) }, { source: { SECRET: value } }))
    const message = error.issues[0]?.message
    expect(message).toBe(
      withheld ? 'is invalid (the message of its schema repeats the value and is withheld)' : text(value),
    )
  })

  test('the path of a structured variable is in its name', () => {
    const LIMITS = z
      .string()
      .transform((text) => JSON.parse(text))
      .pipe(z.object({ burst: z.number() }))
    const error = failure(() => defineEnv({ LIMITS }, { source: { LIMITS: '{}' } }))
    expect(error.issues[0]?.name).toBe('LIMITS.burst')
  })

  test('a path may hold objects with a key', () => {
    const schema = { '~standard': { validate: () => ({ issues: [{ message: 'bad', path: [{ key: 'A' }, 0] }] }) } }
    expect(failure(() => defineEnv(schema, { source: {} })).message).toBe('Invalid environment:\n  A.0: bad')
  })

  test.each(['__proto__', 'constructor', 'toString'])('%s is absent unless it is there', (name) => {
    const error = failure(() => defineEnv({ [name === '__proto__' ? 'x' : name]: z.string() }, { source: {} }))
    expect(error.issues).toHaveLength(1)
  })

  test('asynchronous schemas and values that are not schemas are refused', () => {
    expect(() => defineEnv({ A: { '~standard': { validate: async () => ({ value: 1 }) } } }, { source: {} })).toThrow(
      new EnvError([{ name: 'A', message: 'the schema threw an error, or is asynchronous' }]),
    )
    expect(() => defineEnv({ A: {} as never }, { source: {} })).toThrow(
      new TypeError('defineEnv: A: expected a Standard Schema, got {}'),
    )
  })
})
