import { describe, expect, test } from 'vitest'
import * as z from '../../src/zod3.ts'

/** A value by which a schema is known: what it does with each of these. */
const PROBES = [
  undefined,
  null,
  '',
  'a',
  'ada@x.io',
  'abcdef',
  0,
  1,
  -1,
  1.5,
  7,
  5n,
  -5n,
  true,
  [],
  ['a'],
  ['a', 'b', 'c'],
  {},
  { a: 'x' },
  { a: 'x', b: 1 },
  { a: 'x', c: 1 },
  new Date(0),
  new Date(9e12),
  new Set(),
  new Set(['a', 'b']),
  new Map([['a', 'b']]),
]

const fingerprint = (schema: z.AnySchema): unknown =>
  PROBES.map((value) => {
    const { success, data, error } = schema.safeParse(value)
    return success ? { data, frozen: Object.isFrozen(data) } : error.issues
  })

const bases: { [name: string]: () => z.AnySchema } = {
  string: () => z.string(),
  number: () => z.number(),
  bigint: () => z.bigint(),
  boolean: () => z.boolean(),
  date: () => z.date(),
  enum: () => z.enum(['a', 'b']),
  nativeEnum: () => z.nativeEnum({ a: 'a' }),
  literal: () => z.literal('a'),
  object: () => z.object({ a: z.string(), b: z.number().optional() }),
  array: () => z.array(z.string()),
  tuple: () => z.tuple([z.string()]),
  record: () => z.record(z.string()),
  map: () => z.map(z.string(), z.string()),
  set: () => z.set(z.string()),
  union: () => z.union([z.string(), z.number()]),
  discriminatedUnion: () => z.discriminatedUnion('a', [z.object({ a: z.literal('x') })]),
  lazy: () => z.lazy(() => z.string()),
  wrapper: () => z.string().optional(),
}

const ARGUMENTS: { readonly [method: string]: readonly unknown[] } = {
  regex: [/x/],
  includes: ['x'],
  startsWith: ['x'],
  endsWith: ['x'],
  pick: [{ a: true }],
  omit: [{ a: true }],
  extend: [{ c: z.string() }],
  merge: [z.object({ c: z.string() })],
  catchall: [z.number()],
  rest: [z.number()],
  extract: [['a']],
  exclude: [['a']],
  overwrite: [() => 'x'],
  refine: [() => false],
  superRefine: [() => undefined],
  transform: [() => 1],
  pipe: [z.number()],
  or: [z.number()],
  and: [z.number()],
  default: ['x'],
  catch: ['x'],
  describe: ['words'],
  check: [() => undefined],
  setKey: ['c', z.string()],
  augment: [{ c: z.string() }],
  _refinement: [() => true],
  refinement: [() => false, { code: 'custom', message: 'no' }],
}

const argumentsOf = (base: string, method: string): readonly unknown[] =>
  (base === 'string' && method === 'check' ? [{ kind: 'x', holds: () => true }] : ARGUMENTS[method]) ??
  (base === 'bigint' ? [3n] : base === 'date' ? [new Date(5)] : base === 'object' ? [] : [3])

const BOUND = (
  'refine refinement superRefine optional nullable nullish array promise or and transform brand default catch describe ' +
  'pipe readonly isOptional isNullable'
).split(' ')

const methodsOf = (schema: object): string[] => {
  const names = new Set<string>()
  // Methods that are bound when they are first read are getters.
  for (const name of BOUND) names.add(name)
  for (let at = Object.getPrototypeOf(schema); at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at)))
      if (typeof value === 'function' && !name.startsWith('~')) names.add(name)
  }
  // `register` gives the schema itself, as in zod 4
  for (const name of ['constructor', 'register', 'sourceType', 'parse', 'safeParse', 'safeParseAsync', 'parseAsync'])
    names.delete(name)
  return [...names]
}

describe('V6: builders never change what they are called on', () => {
  const cases = Object.entries(bases).flatMap(([base, make]) =>
    methodsOf(make()).map((method) => [base, method] as const),
  )

  test('every method is found', () => {
    expect(cases.length).toBeGreaterThan(250)
  })

  test.each(cases)('%s().%s() leaves the schema as it was', (base, method) => {
    for (const used of [false, true]) {
      const schema = bases[base]!()
      const before = used ? fingerprint(schema) : fingerprint(bases[base]!())
      const def = JSON.stringify(schema.def, (_, value) => (typeof value === 'bigint' ? `${value}` : value))
      // any: a method by name.
      const result = (schema as any)[method](...argumentsOf(base, method))
      fingerprint(schema)
      if (result instanceof z.Schema && method !== 'unwrap') {
        expect(result).not.toBe(schema)
        fingerprint(result)
      }
      expect(JSON.stringify(schema.def, (_, value) => (typeof value === 'bigint' ? `${value}` : value))).toBe(def)
      expect(fingerprint(schema)).toEqual(before)
    }
  })

  test('objects handed in are not changed and need not stay', () => {
    const shape = Object.freeze({ a: z.string() })
    const schema = z.object(shape).extend({ b: z.string() })
    expect(Object.keys(shape)).toEqual(['a'])
    expect(Object.keys(schema.shape)).toEqual(['a', 'b'])
    const values = Object.freeze(['a', 'b'] as const)
    expect(z.enum(values).exclude(['a']).options).toEqual(['b'])
  })

  test('an input is never changed, nor shared with the output', () => {
    const input = Object.freeze({ list: Object.freeze([Object.freeze({ a: ' x ' })]), at: new Date(5) })
    const schema = z.object({ list: z.array(z.object({ a: z.string().trim() })), at: z.date() })
    const output = schema.parse(input)
    expect(output).toEqual({ list: [{ a: 'x' }], at: new Date(5) })
    expect(output.at).not.toBe(input.at)
  })
})
