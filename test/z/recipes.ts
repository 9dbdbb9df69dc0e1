import fc from 'fast-check'
import type * as ours from '../../src/zod3.ts'

/** Both libraries have the same surface; a recipe is written against ours and given to either. */
export type Z = typeof ours

/** How to build a schema, and values that fit it more often than not. */
export interface Recipe {
  readonly text: string
  // any: the same call is made on two libraries.
  readonly build: (z: Z) => any
  readonly value: fc.Arbitrary<unknown>
}

const noise: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(
    undefined,
    null,
    true,
    false,
    0,
    -0,
    1,
    -1,
    1.5,
    0.3,
    1e21,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    5n,
    '',
    'a',
    ' a ',
    'abc',
  ),
  fc.constantFrom(
    'ada@x.io',
    'https://x.io',
    '2026-01-01',
    '2026-02-30',
    '12:30:00Z',
    '127.0.0.1',
    '::1',
    'aGk=',
    'true',
    'x@y',
    '5',
  ),
  fc.integer({ min: -5, max: 12 }),
  fc.string({ maxLength: 8 }),
  fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: false }),
  fc.constantFrom(
    {},
    [],
    new Map(),
    new Set(),
    new Date(Number.NaN),
    Symbol.for('s'),
    () => 1,
    /x/,
    new URL('https://x.io'),
  ),
  fc.dictionary(
    fc.constantFrom('a', 'b', 'c', 'd', 'constructor', 'toString'),
    fc.constantFrom(1, 'x', null, undefined, true),
  ),
  fc.array(fc.constantFrom(1, 'x', null, 'a'), { maxLength: 4 }),
)

const message = fc.constantFrom(undefined, 'own words')
const params = fc.constantFrom(
  undefined,
  { required_error: 'need it' },
  { invalid_type_error: 'wrong' },
  { required_error: 'need it', invalid_type_error: 'wrong' },
  { message: 'always' },
  {
    errorMap: (issue: { code: string }, context: { defaultError: string }) => ({
      message: `${issue.code}: ${context.defaultError}`,
    }),
  },
)

type Step = readonly [method: string, ...args: unknown[]]

const applySteps = (schema: unknown, steps: readonly Step[]): never =>
  // any: methods by name.
  steps.reduce((made: any, [method, ...args]) => made[method](...args), schema) as never

const show = (steps: readonly Step[]): string =>
  steps.map(([method, ...args]) => `.${method}(${args.map(String)})`).join('')

const limit = fc.integer({ min: 0, max: 6 })
const step = (...parts: readonly [string, ...fc.Arbitrary<unknown>[]]): fc.Arbitrary<Step> => {
  const [method, ...args] = parts
  return fc.tuple(fc.constant(method), ...args) as never
}
const stepsOf = (...steps: fc.Arbitrary<Step>[]): fc.Arbitrary<Step[]> => fc.array(fc.oneof(...steps), { maxLength: 3 })

const stringSteps = stepsOf(
  step('min', limit, message),
  step('max', limit, message),
  step('length', limit, message),
  step('nonempty', message),
  ...[
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
    'duration',
    'date',
  ].map((name) => step(name, message)),
  ...['datetime', 'time'].map((name) =>
    step(name, fc.constantFrom(undefined, { precision: 2 }, { precision: 0 }, { message: 'when' })),
  ),
  step('datetime', fc.constantFrom({ offset: true }, { local: true }, { offset: true, local: true, precision: 3 })),
  ...['ip', 'cidr'].map((name) =>
    step(name, fc.constantFrom(undefined, { version: 'v4' }, { version: 'v6' }, 'where')),
  ),
  step('jwt', fc.constantFrom(undefined, { alg: 'HS256' })),
  step('trim'),
  step('toLowerCase'),
  step('toUpperCase'),
  step('regex', fc.constantFrom(/a/, /^x+$/g, /\d/y), message),
  step('includes', fc.constantFrom('a', 'x'), fc.constantFrom(undefined, { position: 1 }, { message: 'in' })),
  step('startsWith', fc.constantFrom('a', 'x'), message),
  step('endsWith', fc.constantFrom('a', 'x'), message),
)
const numberSteps = stepsOf(
  ...['min', 'max', 'gte', 'lte', 'gt', 'lt'].map((name) => step(name, limit, message)),
  ...['int', 'positive', 'negative', 'nonnegative', 'nonpositive', 'finite', 'safe'].map((name) => step(name, message)),
  step('multipleOf', fc.constantFrom(2, 0.1, 3), message),
)
const bigintSteps = stepsOf(
  ...['min', 'max', 'gte', 'lte', 'gt', 'lt'].map((name) => step(name, limit.map(BigInt), message)),
  ...['positive', 'negative', 'nonnegative', 'nonpositive'].map((name) => step(name, message)),
  step('multipleOf', fc.constantFrom(2n, 3n), message),
)
const dateSteps = stepsOf(
  ...['min', 'max'].map((name) => step(name, fc.constantFrom(new Date(0), new Date(2e12)), message)),
)
const listSteps = stepsOf(
  step('min', limit, message),
  step('max', limit, message),
  step('length', limit, message),
  step('nonempty', message),
)
const setSteps = stepsOf(
  step('min', limit, message),
  step('max', limit, message),
  step('size', limit, message),
  step('nonempty', message),
)

const texts = fc.oneof(
  fc.string({ maxLength: 7 }),
  fc.constantFrom('ada@x.io', 'axa', 'xx', ' a ', 'https://x.io', '1', '10.0.0.0/8'),
)

const withSteps = (name: string, steps: fc.Arbitrary<Step[]>, value: fc.Arbitrary<unknown>): fc.Arbitrary<Recipe> =>
  fc.tuple(steps, params).map(([list, given]) => ({
    text: `${name}(${JSON.stringify(given) ?? ''})${show(list)}`,
    build: (z) => applySteps((z as never as { [key: string]: (given: unknown) => unknown })[name]!(given), list),
    value,
  }))

/** `coerce.x()`: without what is decided otherwise, booleans and the date of `null`, and what makes zod throw. */
const coercible = fc.oneof(
  fc.string({ maxLength: 5 }),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constantFrom('', '5', '0x1f', ' 7 ', '2026-01-01', undefined, [], {}, [1]),
)
const coerced = (name: 'string' | 'number' | 'bigint' | 'date', steps: fc.Arbitrary<Step[]>): fc.Arbitrary<Recipe> =>
  fc.tuple(steps, params).map(([list, given]) => ({
    text: `coerce.${name}(${JSON.stringify(given) ?? ''})${show(list)}`,
    build: (z) => applySteps(z.coerce[name](given as never), list),
    value: coercible,
  }))

const plain = (name: keyof Z, value: unknown): fc.Arbitrary<Recipe> =>
  params.map((given) => ({
    text: `${name}()`,
    build: (z) => (z as never as { [key: string]: (given: unknown) => unknown })[name]!(given),
    value: fc.constant(value),
  }))

const leaf: fc.Arbitrary<Recipe> = fc.oneof(
  { weight: 6, arbitrary: withSteps('string', stringSteps, texts) },
  {
    weight: 4,
    arbitrary: withSteps('number', numberSteps, fc.oneof(fc.integer({ min: -3, max: 9 }), fc.double({ noNaN: true }))),
  },
  withSteps('bigint', bigintSteps, fc.bigInt({ min: -4n, max: 9n })),
  withSteps('date', dateSteps, fc.date()),
  coerced('string', stringSteps),
  coerced('number', numberSteps),
  coerced('bigint', bigintSteps),
  coerced('date', dateSteps),
  plain('boolean', true),
  plain('null', null),
  plain('undefined', undefined),
  plain('void', undefined),
  plain('nan', Number.NaN),
  plain('any', 'x'),
  plain('unknown', 'x'),
  plain('never', 1),
  plain('symbol', Symbol.for('s')),
  fc.tuple(fc.constantFrom('a', 1, true, 5n, null, undefined), params).map(([value, given]) => ({
    text: `literal(${String(value)})`,
    build: (z: Z) => z.literal(value, given as never),
    value: fc.constant(value),
  })),
  params.map((given) => ({
    text: 'enum',
    build: (z: Z) => z.enum(['a', 'abc', 'x'], given as never),
    value: fc.constantFrom('a', 'abc', 'x', 'y'),
  })),
  params.map((given) => ({
    text: 'nativeEnum',
    build: (z: Z) => z.nativeEnum({ low: 0, high: 1, word: 'a', 0: 'low', 1: 'high' }, given as never),
    value: fc.constantFrom(0, 1, 'a', 'low', 2),
  })),
)

const keys = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 4 })

const objects = (inner: fc.Arbitrary<Recipe>): fc.Arbitrary<Recipe> =>
  fc
    .tuple(
      keys.chain((names) =>
        fc.tuple(fc.constant(names), fc.array(inner, { minLength: names.length, maxLength: names.length })),
      ),
      stepsOf(
        step('strict', message),
        step('passthrough'),
        step('strip'),
        step('partial'),
        step('deepPartial'),
        step('required'),
        step('partial', fc.constant({ a: true })),
        step('required', fc.constant({ a: true })),
        step('pick', fc.constant({ a: true, b: true })),
        step('omit', fc.constant({ a: true })),
      ),
      params,
      fc.option(inner, { freq: 6, nil: undefined }),
    )
    .map(([[names, recipes], steps, given, rest]) => ({
      text: `object({ ${names.map((name, index) => `${name}: ${recipes[index]!.text}`).join(', ')} })${show(steps)}${rest ? `.catchall(${rest.text})` : ''}`,
      build: (z) => {
        const shape = Object.fromEntries(names.map((name, index) => [name, recipes[index]!.build(z)]))
        const made = applySteps(z.object(shape, given as never), steps) as ReturnType<Z['object']>
        return rest ? made.catchall(rest.build(z)) : made
      },
      value: fc
        .tuple(
          fc.record(Object.fromEntries(names.map((name, index) => [name, recipes[index]!.value])), {
            requiredKeys: names.slice(1),
          }),
          fc.dictionary(fc.constantFrom('x', 'y'), fc.constantFrom(1, 'x'), { maxKeys: 2, noNullPrototype: true }),
        )
        .map(([own, more]) => ({ ...own, ...more })),
    }))

const lists = (inner: fc.Arbitrary<Recipe>): fc.Arbitrary<Recipe> =>
  fc.oneof(
    fc.tuple(inner, listSteps, params).map(([item, steps, given]) => ({
      text: `array(${item.text})${show(steps)}`,
      build: (z: Z) => applySteps(z.array(item.build(z), given as never), steps),
      value: fc.array(item.value, { maxLength: 5 }),
    })),
    fc.tuple(inner, setSteps).map(([item, steps]) => ({
      text: `set(${item.text})${show(steps)}`,
      build: (z: Z) => applySteps(z.set(item.build(z)), steps),
      value: fc.array(item.value, { maxLength: 5 }).map((items) => new Set(items)),
    })),
    fc.tuple(inner, inner).map(([key, value]) => ({
      text: `map(${key.text}, ${value.text})`,
      build: (z: Z) => z.map(key.build(z), value.build(z)),
      value: fc.array(fc.tuple(key.value, value.value), { maxLength: 3 }).map((pairs) => new Map(pairs as never)),
    })),
    fc.tuple(inner, fc.option(inner, { nil: undefined })).map(([value, key]) => ({
      text: `record(${key ? `${key.text}, ` : ''}${value.text})`,
      build: (z: Z) => (key ? z.record(key.build(z), value.build(z)) : z.record(value.build(z))),
      value: fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'constructor'), value.value, {
        maxKeys: 3,
        noNullPrototype: true,
      }),
    })),
    fc.tuple(fc.array(inner, { maxLength: 3 }), fc.option(inner, { nil: undefined })).map(([items, rest]) => ({
      text: `tuple([${items.map((item) => item.text)}])${rest ? `.rest(${rest.text})` : ''}`,
      build: (z: Z) => {
        const made = z.tuple(items.map((item) => item.build(z)) as [])
        return rest ? made.rest(rest.build(z)) : made
      },
      value: fc
        .tuple(
          fc.tuple(...items.map((item) => item.value)),
          fc.array(rest?.value ?? fc.constant(1), { maxLength: 2 }),
          fc.boolean(),
        )
        .map(([own, more, exact]) => (exact ? own : [...own, ...more])),
    })),
  )

const isShort = (value: unknown): boolean => String(typeof value === 'symbol' ? '' : value).length < 3

const wrappers = (inner: fc.Arbitrary<Recipe>): fc.Arbitrary<Recipe> =>
  fc.tuple(inner, inner, fc.integer({ min: 0, max: 24 }), message).map(([one, two, kind, words]) => {
    const wrap = (text: string, build: Recipe['build'], value: fc.Arbitrary<unknown> = one.value): Recipe => ({
      text,
      build,
      value,
    })
    const on = (name: string, ...args: unknown[]): Recipe =>
      wrap(
        `${one.text}.${name}`,
        (z) => one.build(z)[name](...args),
        fc.oneof(one.value, fc.constantFrom(undefined, null)),
      )
    const both = fc.oneof(one.value, two.value)
    switch (kind) {
      case 0:
      case 1:
        return on('optional')
      case 2:
        return on('nullable')
      case 3:
        return on('nullish')
      case 4:
        return on('default', 'a')
      case 5:
        return on('default', () => 1)
      case 6:
        return on('catch', 'caught')
      case 7:
        return on('catch', ({ error, input }: never) => [(error as { issues: unknown[] }).issues.length, typeof input])
      case 8:
        return on('readonly')
      case 9:
        return on('brand')
      case 10:
        return on('describe', 'words')
      case 11:
        return on('refine', isShort, words)
      case 12:
        return on('refine', isShort, { message: words, path: ['deep', 0], params: { a: 1 } })
      case 13:
        return on('refine', isShort, (value: unknown) => ({ message: typeof value }))
      case 14:
        return on('superRefine', (value: unknown, context: { addIssue: (issue: object) => void }) => {
          if (!isShort(value)) context.addIssue({ code: 'custom', message: 'first', path: ['p'] })
          if (value === 'x') context.addIssue({ code: 'custom', message: 'fatal', fatal: true })
        })
      case 15:
        return on('transform', (value: unknown) => [value])
      case 16:
        return on('transform', (value: unknown, context: { addIssue: (issue: object) => void }) => {
          if (!isShort(value)) context.addIssue({ code: 'custom', message: words })
          return value
        })
      case 17:
        return wrap(`preprocess(${one.text})`, (z) =>
          z.preprocess((value) => (typeof value === 'string' ? value.trim() : value), one.build(z)),
        )
      case 18:
        return wrap(`${one.text}.pipe(${two.text})`, (z) => one.build(z).pipe(two.build(z)))
      case 19:
        return wrap(
          `union([${one.text}, ${two.text}])`,
          (z) => z.union([one.build(z), two.build(z)], { required_error: 'one of' }),
          both,
        )
      case 20:
        return wrap(`${one.text}.or(${two.text})`, (z) => one.build(z).or(two.build(z)), both)
      case 21:
        return wrap(`${one.text}.and(${two.text})`, (z) => one.build(z).and(two.build(z)), both)
      case 22:
        return wrap(`lazy(${one.text})`, (z) => z.lazy(() => one.build(z)))
      case 23:
        return wrap(
          `discriminatedUnion({ ${one.text} }, { ${two.text} })`,
          (z) =>
            z.discriminatedUnion('type', [
              z.object({ type: z.literal('one'), value: one.build(z) }),
              z.object({ type: z.enum(['two', 'three']), value: two.build(z) }),
            ]),
          fc.record(
            { type: fc.constantFrom('one', 'two', 'three', 'four', undefined), value: both },
            { noNullPrototype: true },
          ),
        )
      default:
        return wrap(`custom(${one.text})`, (z) => z.custom(isShort, words).pipe(one.build(z)))
    }
  })

/** Any schema, up to four levels deep, with what it is given: what fits it, something near, or noise. */
export const recipe: fc.Arbitrary<Recipe> = fc.letrec<{ any: Recipe }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    { weight: 3, arbitrary: leaf },
    { weight: 2, arbitrary: objects(tie('any')) },
    { weight: 2, arbitrary: lists(tie('any')) },
    { weight: 3, arbitrary: wrappers(tie('any')) },
  ),
})).any

/** Values for a recipe. */
export const valuesFor = (given: Recipe): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 5, arbitrary: given.value }, { weight: 2, arbitrary: noise })
