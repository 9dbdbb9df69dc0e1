import { describe, expect, test } from 'vitest'
import { writeModule } from '../../generators/compile/module.ts'
import { createApp } from '../../src/app.ts'
import { validateBody } from '../../src/middleware/validator.ts'
import { object as smallObject } from '../../src/z/object.ts'
import { string as smallString } from '../../src/z/string.ts'
import * as z from '../../src/zod3.ts'
import { outcome } from './compare.ts'
import { compileHere } from './compile-here.ts'

/** A schema that is compiled gives what the same schema gives without. */
const same = (make: () => never, ...values: readonly unknown[]): void => {
  const { schema } = compileHere(make())
  const plain = make()
  for (const value of values) expect(outcome(schema, value)).toStrictEqual(outcome(plain, value))
}

describe('FX4: what is compiled', () => {
  test.each([
    [
      'objects in objects and arrays',
      z.object({ a: z.array(z.object({ b: z.string().trim().email() })) }).strict(),
      [],
    ],
    ['a field that transforms', z.object({ a: z.string(), b: z.string().transform(Number) }), [['b', 'transform']]],
    ['a refined object', z.object({ a: z.string() }).refine(() => true), [['', 'refine']]],
    ['lazy', z.object({ a: z.lazy(() => z.string()) }), [['a', 'lazy']]],
    [
      'an array of what transforms',
      z.array(z.object({ a: z.string().transform(Number) })),
      [
        ['', 'array that holds transform'],
        ['a', 'transform'],
      ],
    ],
    [
      'overwrite, which is a function',
      z.object({ a: z.string().check(z.overwrite((text: string) => text)) }),
      [['a', 'check overwrite']],
    ],
    ['default by a function', z.object({ a: z.string().default(() => 'x') }), [['a', 'default by a function']]],
    ['preprocess', z.preprocess((value) => value, z.string()), [['', 'preprocess']]],
    ['instanceof', z.object({ a: z.instanceof(URL) }), [['a', 'refine']]],
    [
      'a map, whose run is the interpreter',
      z.object({ a: z.map(z.string(), z.object({ b: z.number() })) }),
      [['a', 'map is interpreted']],
    ],
  ] as const)('%s', (_, schema, fallbacks) => {
    expect(compileHere(schema).fallbacks.map(({ path, reason }) => [path, reason])).toEqual(fallbacks)
  })

  test('the text evaluates nothing', () => {
    const everything = z.object({
      a: z.string().regex(/x/),
      b: z.union([z.date(), z.object({})]),
      c: z.record(z.number()),
    })
    expect(compileHere(everything).text).not.toMatch(/\beval\b|\bFunction\b|\bimport\b/)
  })

  test('a module gives each export its name, a default one too, and a schema with two names both', () => {
    const User = z.object({ a: z.string() })
    const { text } = writeModule({ User, Again: User, default: z.string(), limit: 3 }, '', './x.js')
    expect(text).toMatch(/^export \* from ".\/x.js"$/m)
    expect(text).toMatch(/^export \{ s0 as User, s0 as Again, s1 as default \}$/m)
    expect(writeModule({ default: 5, User }, '', './x.js').text).toContain('export { default } from "./x.js"')
  })

  test('keys and texts that look like code stay texts', () => {
    const key = '"]; throw 1 //\u2028'
    same(() => z.object({ [key]: z.literal('`${1}\'"\\') }) as never, { [key]: '`${1}\'"\\' }, { [key]: 'x' })
  })
})

describe('FX4: a compiled schema is the same schema', () => {
  test('the object stays, and so do its methods and parseAsync', async () => {
    const User = z.object({ name: z.string().refine(async (name) => name !== 'ada', 'Taken') })
    expect(compileHere(User).schema).toBe(User)
    expect((await User.safeParseAsync({ name: 'ada' })).error?.issues[0]?.message).toBe('Taken')
    expect(() => User.safeParse({ name: 'x' })).toThrow('A promise in a synchronous parse')
    expect(User.extend({ age: z.number() }).shape.name).toBe(User.shape.name)
  })

  test('schemas that hold it use its code', () => {
    const Name = z.object({ name: z.string() })
    const List = z.array(Name)
    const { run } = compileHere(Name).schema
    let calls = 0
    Name.run = (value, issues) => {
      calls++
      return run!(value, issues)
    }
    List.parse([{ name: 'a' }, { name: 'b' }])
    expect(calls).toBe(2)
  })

  test('schemas of the small doors are compiled too', () => {
    same(() => smallObject({ a: smallString().min(2) }) as never, { a: 'xx' }, { a: 'x' }, null)
  })

  test('a key of two blanks and braces keeps its name', () => {
    const schema = z.object({ '{  }': z.string() })
    expect(compileHere(schema).schema.parse({ '{  }': 'x' })).toEqual({ '{  }': 'x' })
  })

  test('a frozen schema stays as it is', () => {
    const frozen = z.object({ a: z.string() })
    frozen.parse({ a: 'x' })
    compileHere(Object.freeze(frozen))
    expect(frozen.safeParse({ a: 1 }).success).toBe(false)
  })

  test('messages of error maps are those of the interpreter', () => {
    const errorMap = (issue: { code: string }) => ({ message: `map ${issue.code}` })
    const { schema } = compileHere(z.object({ a: z.string({ errorMap }) }))
    expect(schema.safeParse({}).error?.issues[0]?.message).toBe('map invalid_type')
    expect(schema.safeParse({ a: 1 }, { errorMap: () => ({ message: 'mine' }) }).error?.issues[0]?.message).toBe('mine')
  })

  test('validateBody takes it', async () => {
    const { schema } = compileHere(z.object({ name: z.string().min(1) }))
    const app = createApp().post('/', validateBody(schema), (ctx) => ctx.json(ctx.state.valid.body))
    const ask = (body: object) =>
      app.request('/', { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
    expect(await (await ask({ name: 'a', more: 1 })).json()).toEqual({ name: 'a' })
    const refused = await ask({ name: '' })
    expect({ status: refused.status, code: (await refused.json()).issues[0].code }).toEqual({
      status: 422,
      code: 'too_small',
    })
  })
})

describe('FX4: hostile input', () => {
  test('__proto__, and names that every object inherits', () => {
    const values = ['{"__proto__":{"x":1},"constructor":"c"}', '{"toString":1}', '{"a":"x","__proto__":1}', '{}'].map(
      (text) => JSON.parse(text),
    )
    same(
      () => z.object({ constructor: z.string().optional(), toString: z.unknown() } as never).passthrough() as never,
      ...values,
    )
    same(() => z.object(Object.fromEntries([['__proto__', z.unknown()]])) as never, ...values)
    same(() => z.record(z.unknown()) as never, ...values)
    same(() => z.object({ a: z.string().optional() }).catchall(z.unknown()) as never, ...values)
    same(() => z.object({}).strict() as never, ...values)
  })

  test('each key is read once, so what was checked is what comes out', () => {
    let reads = 0
    const input = {
      get a() {
        return ++reads === 1 ? 'fine' : { evil: true }
      },
    }
    const { schema } = compileHere(z.object({ a: z.string(), b: z.string().transform(Number).optional() }))
    expect({ parsed: schema.parse(input), reads }).toEqual({ parsed: { a: 'fine' }, reads: 1 })
  })

  test('functions of the user run once, and not where a check has failed that comes first', () => {
    const ran: string[] = []
    const spy = (name: string) => z.string().refine((value) => ran.push(name) && value !== 'no', name)
    const { schema } = compileHere(z.object({ a: spy('a'), b: z.number(), c: z.object({ d: spy('d') }) }))
    const { error } = schema.safeParse({ a: 'no', b: 1, c: { d: 'no' } })
    expect(ran.splice(0)).toEqual(['a', 'd'])
    expect(error?.issues.map(({ path, message }) => ({ path: path.join('.'), message }))).toEqual([
      { path: 'a', message: 'a' },
      { path: 'c.d', message: 'd' },
    ])
    // The interpreter alone says what is wrong: as without the compiler, it asks every field once.
    expect(schema.safeParse({ a: 'no', b: 'x', c: { d: 'no' } }).error?.issues).toHaveLength(3)
    expect(ran).toEqual(['a', 'd'])
  })

  const category = (): never => {
    const made: z.AnySchema = z.object({
      name: z.string(),
      get sub(): z.AnySchema {
        return z.array(made)
      },
    })
    return made as never
  }
  const comment = (): never => {
    const made: z.AnySchema = z.object({ name: z.string(), sub: z.array(z.lazy(() => made)) })
    return made as never
  }
  const deep = (levels: number): object => (levels ? { name: 'a', sub: [deep(levels - 1)] } : { name: 1, sub: [] })

  test.each([
    ['a getter', category],
    ['lazy', comment],
  ])('recursion by %s: the same depth, and the same circle', (_, make) => {
    const circle = { name: 'a', sub: [] as unknown[] }
    circle.sub.push(circle)
    same(make, deep(0), deep(3), deep(498), deep(499), deep(500), deep(501), deep(502), deep(2000), circle)
  })
})
