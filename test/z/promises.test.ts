import { describe, expect, test, vi } from 'vitest'
import { validateBody } from '../../src/middleware/validator.ts'
import { text } from '../../src/respond/text.ts'
import { string } from '../../src/z/string.ts'
import * as z from '../../src/zod3.ts'
import { doors } from '../harness.ts'
import { watchUnhandled } from '../unhandled.ts'

/** A promise of another library: no more than `then`. */
const thenable = <T>(value: T): PromiseLike<T> => ({
  then: (resolve) => Promise.resolve(value).then(resolve) as never,
})

describe('P19: whatever has `then` is a promise', () => {
  test.each<[string, z.AnySchema, unknown]>([
    ['refine', z.string().refine(() => thenable(true)), 'x'],
    ['superRefine', z.string().superRefine((() => thenable(undefined)) as never), 'x'],
    ['refinement', z.string().refinement(() => thenable(true), { code: 'custom' }), 'x'],
    ['transform', z.string().transform(() => thenable('y') as Promise<string>), 'x'],
    ['preprocess', z.preprocess(() => thenable('y'), z.string()), 'x'],
  ])('%s: refused by a synchronous parse, awaited by parseAsync', async (_, schema, value) => {
    expect(() => schema.safeParse(value)).toThrow('use parseAsync')
    expect((await schema.safeParseAsync(value)).success).toBe(true)
  })

  test('a thenable of `false` refuses the value', async () => {
    const schema = z.string().refine(() => thenable(false), 'Taken')
    expect((await schema.safeParseAsync('x')).error?.issues[0]?.message).toBe('Taken')
  })

  test.each([
    ['a promise', async () => false],
    ['a thenable', () => thenable(false)],
  ])('%s of `false` from `refinement` refuses the value: it accepted everything', async (_, check) => {
    const schema = z.string().refinement(check, (value) => ({ code: 'custom', message: `${value} is taken` }))
    expect(() => schema.safeParse('x')).toThrow('use parseAsync')
    expect((await schema.safeParseAsync('x')).error?.issues[0]?.message).toBe('x is taken')
  })
})

describe('P18: `~standard.validate` returns a promise where user code does', () => {
  test('an asynchronous refinement is awaited, each time', async () => {
    const schema = z.object({ name: z.string().refine(async (name) => name !== 'ada', 'Taken') })
    for (let time = 0; time < 2; time++) {
      const result = schema['~standard'].validate({ name: 'ada' })
      expect(result).toBeInstanceOf(Promise)
      expect(await result).toMatchObject({ issues: [{ message: 'Taken', path: ['name'] }] })
      expect(await schema['~standard'].validate({ name: 'bob' })).toEqual({ value: { name: 'bob' } })
    }
  })

  test('without promises the answer is there at once', () => {
    expect(z.string()['~standard'].validate('x')).toEqual({ value: 'x' })
  })

  test('an error of user code is not taken for a promise', () => {
    const schema = z.string().refine(() => {
      throw new Error('user code')
    })
    expect(() => schema['~standard'].validate('x')).toThrow('user code')
  })
})

describe('F5, P18: a promise that a synchronous parse refuses', () => {
  const unhandled = watchUnhandled()

  const fail = (): Promise<never> => new Promise((_, reject) => setImmediate(reject, new Error('database is down')))
  const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10))

  test.each<[string, { safeParse(value: unknown): unknown }, unknown?]>([
    ['refine', z.string().refine(fail)],
    ['superRefine', z.string().superRefine(fail)],
    ['transform', z.string().transform(fail)],
    ['preprocess', z.preprocess(fail, z.string())],
    ['custom', z.custom(fail)],
    ['refine of the lean chain', string().refine(fail as never)],
    ['a refinement of a key', z.object({ name: z.string().refine(fail) }), { name: 'x' }],
  ])('%s: its rejection is not unhandled', async (_, schema, value = 'x') => {
    expect(() => schema.safeParse(value)).toThrow('use parseAsync')
    await settled()
    expect(unhandled).not.toHaveBeenCalled()
  })

  test('the first `~standard.validate` of a schema rejects once, and leaves no other promise behind', async () => {
    const schema = z.object({ name: z.string().refine(fail) })
    await expect(schema['~standard'].validate({ name: 'ada' })).rejects.toThrow('database is down')
    await settled()
    expect(unhandled).not.toHaveBeenCalled()
  })

  test.each<[string, () => Promise<unknown>]>([
    ['the schema refuses its value', async () => 'no number'],
    ['it rejects itself', fail],
  ])('a promise of a value that is refused elsewhere is not unhandled when %s', async (_, make) => {
    const when = make()
    const schema = z.object({ when: z.promise(z.number()), name: z.string() })
    expect(schema.safeParse({ when, name: 5 }).success).toBe(false)
    expect((await schema.safeParseAsync({ when, name: 5 })).success).toBe(false)
    await settled()
    expect(unhandled).not.toHaveBeenCalled()
    await expect(schema.parse({ when, name: 'ada' }).when).rejects.toThrow()
  })

  test('a `then` that throws does not replace the message', () => {
    const broken = {
      then: () => {
        throw new Error('no thenable')
      },
    }
    expect(() =>
      z
        .string()
        .refine(() => broken)
        .safeParse('x'),
    ).toThrow('use parseAsync')
  })

  test.each(doors)('%s: validateBody answers the first request with 500, and the process goes on', async (_, door) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const fetch = door({ routes: [['POST', '/', validateBody(z.string().refine(fail)), () => text('ok')]] })
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(new Request('http://localhost/', { method: 'POST', body: '"x"', headers }))
    expect(response.status).toBe(500)
    await settled()
    expect(unhandled).not.toHaveBeenCalled()
    vi.restoreAllMocks()
  })
})

describe('P28: methods stay bound where zod 3 binds them', () => {
  test.each(['safeParse', 'parse', 'parseAsync', 'optional'] as const)('a spy can watch %s', async (name) => {
    const schema = z.string()
    const spy = vi.spyOn(schema, name as 'parse')
    await (schema[name] as (value: unknown) => unknown)('x')
    expect(spy).toHaveBeenCalledTimes(1)
    spy.mockRestore()
    expect(schema.safeParse(1).success).toBe(false)
    expect(vi.isMockFunction(schema[name])).toBe(false)
  })

  test.each(['parse', 'optional'] as const)('%s can be replaced by an assignment', (name) => {
    const schema: { [name: string]: unknown } = z.string() as never
    const mock = (): string => 'mocked'
    schema[name] = mock
    expect(schema[name]).toBe(mock)
    expect(z.string()[name]).not.toBe(mock)
  })

  test('a spy can replace the result', () => {
    const schema = z.string()
    vi.spyOn(schema, 'safeParse').mockReturnValue({ success: true, data: 'mocked' })
    expect(schema.safeParse(1).data).toBe('mocked')
    expect(schema.parse(1)).toBe('mocked')
  })

  test('taken off the schema they work', async () => {
    const { parse, safeParse, parseAsync, spa, optional, array, refine } = z.string()
    expect(parse('x')).toBe('x')
    expect(safeParse(1).success).toBe(false)
    expect(await parseAsync('x')).toBe('x')
    expect((await spa(1)).success).toBe(false)
    expect(optional().parse(undefined)).toBeUndefined()
    expect(array().nonempty().parse(['x'])).toEqual(['x'])
    expect(refine(() => false).safeParse('x').success).toBe(false)
  })

  test('a discriminated union holds unions of objects', () => {
    const shape = z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('circle'), r: z.number() }),
      z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b') })]),
      z.union([z.object({ kind: z.enum(['c', 'd']) }), z.object({ kind: z.literal('e'), x: z.string() })]),
    ])
    for (const kind of ['a', 'b', 'c', 'd']) expect(shape.parse({ kind })).toEqual({ kind })
    expect(shape.safeParse({ kind: 'e' }).success).toBe(false)
    expect(shape.safeParse({ kind: 'f' }).error?.issues[0]).toMatchObject({
      code: 'invalid_union_discriminator',
      options: ['circle', 'a', 'b', 'c', 'd', 'e'],
    })
  })
})

describe('F18: an answer never quotes the value that came', () => {
  test.each<[string, z.AnySchema, unknown]>([
    ['enum', z.enum(['a', 'b']), 'hunter2'],
    ['nativeEnum', z.nativeEnum({ a: 'a' }), 'hunter2'],
    ['nativeEnum of a number', z.nativeEnum({ a: 1 }), 73_571],
    ['literal', z.literal('a'), 'hunter2'],
    ['stringbool', z.stringbool(), 'hunter2'],
    ['discriminated union', z.discriminatedUnion('t', [z.object({ t: z.literal('a') })]), { t: 'hunter2' }],
    ['union', z.union([z.enum(['a']), z.literal('b')]), 'hunter2'],
    ['string formats', z.string().email().uuid().ip().datetime().startsWith('x').regex(/x/), 'hunter2'],
    ['a symbol', z.literal('a'), Symbol('hunter2')],
  ])('%s', (_, schema, value) => {
    const { error } = z.object({ password: schema }).safeParse({ password: value })
    expect(JSON.stringify(error!['~response'])).not.toMatch(/hunter2|73571/)
    expect(JSON.stringify(error!['~response'])).toContain('password')
  })
})

test('K5: the message of an issue is a string from the start, in error maps and in refinements', () => {
  const types: string[] = []
  const schema = z
    .object({ a: z.string() })
    .catch(({ error }) => {
      for (const { message } of error.issues) types.push(typeof message)
      return { a: '' }
    })
    .or(z.number())
  schema.safeParse({ a: 1 })
  z.string().safeParse(1, {
    errorMap: (issue, { defaultError }) => {
      types.push(typeof issue.message)
      return { message: defaultError }
    },
  })
  expect(types).toEqual(['string', 'string'])
})
