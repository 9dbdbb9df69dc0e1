import { readdirSync, readFileSync } from 'node:fs'
import { checkSync } from 'recheck'
import { afterEach, describe, expect, test } from 'vitest'
import * as z from '../../src/zod3.ts'
import { expectLinear } from '../growth.ts'
import { compileHere } from './compile-here.ts'

const POISON =
  '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"prototype":{"polluted":true},"a":1}'

afterEach(() => {
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  expect(Object.keys(Object.prototype)).toEqual([])
})

describe('Prototype reads and writes (measured on zod 3.25)', () => {
  const values = [POISON, '{"a":{"__proto__":{"polluted":true}}}', '[["__proto__",{"polluted":true}]]']
  const shapes: [string, z.AnySchema][] = [
    ['passthrough', z.object({ a: z.any() }).passthrough()],
    ['catchall', z.object({ a: z.any() }).catchall(z.any())],
    ['record', z.record(z.any())],
    ['record with keys', z.record(z.string(), z.any())],
    [
      'record with transformed keys',
      z.record(
        z.string().transform(() => '__proto__'),
        z.any(),
      ),
    ],
    [
      'record with keys transformed to lists of one',
      z.record(
        z.string().transform((key) => [key]),
        z.any(),
      ),
    ],
    ['merge', z.object({}).merge(z.object({ a: z.any() }).passthrough())],
    ['intersection', z.object({}).passthrough().and(z.object({}).passthrough())],
    ['intersection of any', z.any().and(z.any())],
    [
      'a shape with the name',
      z.object(JSON.parse('{"__proto__":0,"constructor":0}', (_, v) => (v === 0 ? z.any() : v))),
    ],
    [
      'extend, pick, omit, partial, required of it',
      z
        .object({})
        .extend(Object.fromEntries([['__proto__', z.any()]]))
        .partial()
        .required()
        .omit({}),
    ],
  ]
  test.each(shapes.flatMap(([name, schema]) => values.map((text) => [name, text, schema] as const)))(
    '%s keeps %s harmless',
    (_, text, schema) => {
      for (const input of [JSON.parse(text), Object.fromEntries([['__proto__', JSON.parse(text)]])]) {
        const { data } = schema.safeParse(input)
        expect((data as { polluted?: boolean } | undefined)?.polluted).toBeUndefined()
        if (typeof data === 'object' && data !== null && !Array.isArray(data))
          expect(Object.getPrototypeOf(data)).toBe(Object.prototype)
      }
    },
  )

  test('a key named like a member of every object is read only when the input has it', () => {
    const schema = z.object({ constructor: z.string().optional(), toString: z.string().optional(), __proto__: z.any() })
    expect(schema.parse({})).toEqual({})
    expect(schema.parse(JSON.parse('{"constructor":"x","toString":"y"}'))).toEqual({ constructor: 'x', toString: 'y' })
    expect(z.object({ constructor: z.string() }).safeParse({}).error?.issues[0]?.message).toBe('Required')
  })

  test('a symbol that is not in a list of literals is an issue', () => {
    const { error } = z.literal([Symbol.for('a')]).safeParse(Symbol.for('b'))
    expect(error?.issues[0]?.message).toBe("Invalid enum value. Expected Symbol(a), received 'Symbol(b)'")
  })

  test('masks are read by their own keys', () => {
    const schema = z.object({ constructor: z.string(), name: z.string() }) as z.ObjectSchema<{ name: z.AnySchema }>
    expect(Object.keys(schema.pick({ name: true }).shape)).toEqual(['name'])
    expect(Object.keys(schema.omit({ name: true }).shape)).toEqual(['constructor'])
    expect(schema.partial({ name: true }).safeParse({}).success).toBe(false)
  })

  test('format and flatten with keys of every kind', () => {
    const path = (...keys: (string | number)[]): z.Issue => ({ code: 'custom', message: 'no', path: keys })
    const error = new z.ValidationError([
      path('__proto__'),
      path('constructor', 'prototype', 'x'),
      path('_errors'),
      path('toString'),
      path('__proto__', 'polluted'),
    ])
    const tree = error.format() as unknown as { [key: string]: { _errors: string[] } }
    expect(tree.toString).toEqual({ _errors: ['no'] })
    expect(tree._errors).toEqual(['no', 'no'])
    expect(Object.entries(error.flatten().fieldErrors)[0]?.[1]).toEqual(['no', 'no'])
  })
})

describe('values that have no text', () => {
  let lists: unknown = 1
  for (let depth = 0; depth < 100_000; depth++) lists = [lists]

  test.each([
    ['an object with a toString of its own', JSON.parse('{"toString":1,"valueOf":1}')],
    ['a list in 100,000 lists', lists],
  ])('%s in the place of a literal is 422, and a short message', (_, value) => {
    const { error } = z.object({ role: z.literal('admin') }).safeParse({ role: value })
    expect(error!['~response']).toMatchObject({ status: 422, body: { issues: [{ path: ['role'] }] } })
    expect(error!.message.length).toBeLessThan(300)
  })
})

describe("what one parse was given is no other parse's", () => {
  test.each<[string, () => z.AnySchema]>([
    ['catch of a list', () => z.array(z.string()).catch([])],
    ['catch of an object', () => z.record(z.string()).catch({})],
    ['default of a list', () => z.any().default([])],
    ['default of an object', () => z.custom().default({})],
  ])('%s', (_, make) => {
    for (const schema of [make(), compileHere(make()).schema]) {
      for (const input of [undefined, undefined]) {
        const out = schema.parse(input) as Record<string, unknown>
        expect(Object.keys(out)).toEqual([])
        out.x = 1
      }
    }
  })
})

describe('recursion', () => {
  const tree: z.Schema<unknown> = z.object({ children: z.array(z.lazy(() => tree)).optional() })

  test('10,000 levels give an issue', () => {
    let deep: unknown = {}
    for (let depth = 0; depth < 10_000; depth++) deep = { children: [deep] }
    const { error } = tree.safeParse(deep)
    expect(error?.issues).toHaveLength(1)
    expect(error?.issues[0]).toMatchObject({ code: 'custom', message: 'Nested too deeply, or circular' })
  })

  test('400 levels are fine, also through many wrappers', () => {
    const wrapped: z.Schema<unknown> = z.lazy(() =>
      z
        .object({
          next: wrapped
            .optional()
            .nullable()
            .default(null)
            .refine(() => true)
            .transform((value) => value)
            .or(z.number()),
        })
        .and(z.object({})),
    )
    let deep: unknown = { next: null }
    for (let depth = 0; depth < 400; depth++) deep = { next: deep }
    expect(wrapped.safeParse(deep).success).toBe(true)
  })

  test('input that holds itself ends', () => {
    const circle: { children: unknown[] } = { children: [] }
    circle.children.push(circle, circle)
    expect(tree.safeParse(circle).error?.issues.map(({ path }) => path.length)).toEqual([4, 4, 4, 4])
  })

  test('after an error on the way down nothing is remembered', () => {
    const thrower: z.Schema<unknown> = z.lazy(() =>
      z.any().refine((value) => {
        if (value === bad) throw new Error('user code')
        return true
      }),
    )
    const bad = {}
    expect(() => thrower.safeParse(bad)).toThrow('user code')
    expect(() => thrower.safeParse(bad)).toThrow('user code')
  })
})

describe('amplification and size', () => {
  test.each<[string, z.AnySchema, unknown]>([
    ['array', z.array(z.string()), Array.from({ length: 300_000 }, () => 1)],
    ['set', z.set(z.string()), new Set(Array.from({ length: 300_000 }, (_, index) => index))],
    ['map', z.map(z.string(), z.string()), new Map(Array.from({ length: 300_000 }, (_, index) => [index, index]))],
    [
      'record',
      z.record(z.string()),
      Object.fromEntries(Array.from({ length: 300_000 }, (_, index) => [`k${index}`, 1])),
    ],
    ['tuple', z.tuple([]).rest(z.string()), Array.from({ length: 300_000 }, () => 1)],
    [
      'object with catchall',
      z.object({}).catchall(z.string()),
      Object.fromEntries(Array.from({ length: 300_000 }, (_, index) => [`k${index}`, 1])),
    ],
    ['union of arrays', z.array(z.string()).or(z.array(z.boolean())), Array.from({ length: 300_000 }, () => 1)],
  ])('a %s of 300,000 wrong values is told in about 1,000 issues, without a stack overflow', (_, schema, value) => {
    const { error } = schema.safeParse(value)
    expect(JSON.stringify(error!.issues).length).toBeLessThan(400_000)
  })
})

describe('ReDoS (zod CVE-2023-4316, elysia CVE-2026-30837)', () => {
  const files = ['z', 'z/all', 'internal/z'].flatMap((folder) =>
    readdirSync(new URL(`../../src/${folder}`, import.meta.url))
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}/${name}`),
  )
  const literals = files.flatMap((name) => {
    const source = readFileSync(new URL(`../../src/${name}`, import.meta.url), 'utf8')
    return [...source.matchAll(/(?<=[\s(!])\/(\^(?:\\.|\[(?:\\.|[^\]])*\]|[^/\n\\])+)\/([gimsuy]*)/g)].map(
      ([, pattern, flags]) => [name, pattern!, flags!] as const,
    )
  })

  test('the patterns are found', () => {
    expect(literals.length).toBeGreaterThan(14)
  })

  test.each(literals)('%s: /%s/%s is linear', (_, pattern, flags) => {
    expect(checkSync(pattern, flags, { timeout: 20_000 }).status).toBe('safe')
  })

  const attacks = [
    'a',
    '@',
    '.',
    '-',
    '1',
    ':',
    '::',
    'a.',
    'a@',
    '+1Y',
    'P1Y',
    '1.',
    'AA',
    '=',
    '\u{1f600}',
    'ffff:',
    '0:',
    'T00:00:00.0',
    '/',
    '%',
    "'",
  ]
  const methods = [
    'email',
    'url',
    'uuid',
    'cuid',
    'cuid2',
    'ulid',
    'nanoid',
    'base64',
    'base64url',
    'emoji',
    'date',
    'time',
    'datetime',
    'duration',
    'ip',
    'cidr',
    'jwt',
  ] as const
  test.each(['email', 'emoji', 'url', 'uuid', 'base64'])('%s refuses 10 MB of text, and throws nothing', (method) => {
    const schema = (z.string() as never as Record<string, () => z.AnySchema>)[method]!() as z.Schema<unknown>
    expect(schema.safeParse(`${'a'.repeat(1e7)}!`).success).toBe(false)
  })

  test.each(methods)('%s answers 100 kB of anything in linear time', async (method) => {
    const schema = z.string()[method]()
    for (const part of attacks) {
      for (const [head, tail] of [
        ['', ''],
        ['a@', '!'],
        ['P', '!'],
        ['fe80:', '%'],
        ['2026-01-01T', 'Z!'],
        ['A.', '.'],
      ] as const) {
        const make = (size: number): string => head + part.repeat(size / part.length) + tail
        await expectLinear(100_000, make, (text) => schema.safeParse(text))
      }
    }
  })
})
