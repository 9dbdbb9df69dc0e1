import { afterEach, describe, expect, test } from 'vitest'
import { z as zod } from 'zod/v3'
import { createLocale, type Words } from '../../src/z/locales/create-locale.ts'
import { de } from '../../src/z/locales/de.ts'
import { fr } from '../../src/z/locales/fr.ts'
import * as z from '../../src/zod3.ts'

const bad = { name: 1, tags: ['a', 2], more: { deep: [{ x: 'no' }] }, either: true }
const build = (library: typeof z): z.AnySchema =>
  library
    .object({
      name: library.string(),
      tags: library.array(library.string()),
      more: library.object({ deep: library.array(library.object({ x: library.number() })) }),
      either: library.union([library.string(), library.object({ y: library.number() })]),
      gone: library.string(),
    })
    .strict()

afterEach(() => z.setErrorMap())

describe('V1, V5: the error', () => {
  const mine = build(z).safeParse({ ...bad, extra: 1 }).error!
  const theirs = build(zod as never as typeof z).safeParse({ ...bad, extra: 1 }).error!

  test('V5: format() is the tree of zod 3, with a mapper too', () => {
    expect(mine.format()).toEqual(theirs.format())
    expect(mine.format((issue) => issue.code)).toEqual(theirs.format((issue) => issue.code))
    expect(mine.format()).toMatchObject({
      _errors: ["Unrecognized key(s) in object: 'extra'"],
      more: { deep: { 0: { x: { _errors: [expect.any(String)] } } } },
    })
  })

  test('V1: flatten() is that of zod 3, with a mapper too', () => {
    expect(mine.flatten()).toEqual({ ...theirs.flatten() })
    expect(mine.flatten((issue) => issue.code).fieldErrors).toEqual(theirs.flatten((issue) => issue.code).fieldErrors)
  })

  test('V1: message is the JSON of the issues, bigints as text', () => {
    // Nested errors of zod have their name among their keys.
    const unnamed = (text: string): unknown =>
      JSON.parse(text, function (this: object, key, value) {
        return key === 'name' && 'issues' in this ? undefined : value
      })
    expect(unnamed(mine.message)).toEqual(unnamed(theirs.message))
    expect(JSON.parse(z.bigint().min(5n).safeParse(1n).error!.message)[0].minimum).toBe('5')
  })

  test('V1: the class, its name and its alias', () => {
    expect(mine).toBeInstanceOf(z.ValidationError)
    expect(mine).toBeInstanceOf(z.ZodError)
    expect(mine).toBeInstanceOf(Error)
    expect(mine.name).toBe('ValidationError')
  })

  test('V1, E10: parse throws with a stack, safeParse makes none and leaves the limit as it was', () => {
    const limit = Error.stackTraceLimit
    expect(mine.stack).not.toContain('    at ')
    expect(Error.stackTraceLimit).toBe(limit)
    try {
      z.string().parse(1)
      expect.unreachable()
    } catch (error) {
      expect((error as Error).stack).toContain('error.test.ts')
    }
  })

  test('prettifyError: lines for people, shallow paths first', () => {
    expect(z.prettifyError(mine)).toBe(
      [
        "✖ Unrecognized key(s) in object: 'extra'",
        '✖ Expected string, received number\n  → at name',
        '✖ Invalid input\n  → at either',
        '✖ Required\n  → at gone',
        '✖ Expected string, received number\n  → at tags[1]',
        '✖ Expected number, received string\n  → at more.deep[0].x',
      ].join('\n'),
    )
    expect(z.prettifyError({ issues: [{ code: 'custom', message: 'no', path: ['a b', 0] }] })).toBe(
      '✖ no\n  → at ["a b"][0]',
    )
  })
})

describe('V21: messages', () => {
  const shout: z.ErrorMap = (issue, { defaultError, data }) => ({
    message: `${issue.path.join('.')} ${typeof data} ${defaultError.toUpperCase()}`,
  })

  const told = (issue: { code: string; input: unknown }) => `${issue.code} of ${typeof issue.input}`

  test('a global map, a map of the schema and a map of the parse, each told what the one before said', () => {
    const schema = z.object({ a: z.string({ errorMap: (_, { defaultError }) => ({ message: `[${defaultError}]` }) }) })
    z.setErrorMap((_, { defaultError }) => ({ message: `<${defaultError}>` }))
    expect(schema.safeParse({ a: 1 }).error?.issues[0]?.message).toBe('[<Expected string, received number>]')
    expect(schema.safeParse({ a: 1 }, { errorMap: shout }).error?.issues[0]?.message).toBe(
      'a number [<EXPECTED STRING, RECEIVED NUMBER>]',
    )
  })

  test('a message of a check is the last word', () => {
    z.setErrorMap(() => ({ message: 'map' }))
    expect(z.string().min(5, 'own').safeParse('').error?.issues[0]?.message).toBe('own')
    expect(z.string().min(5, { message: 'own' }).safeParse('').error?.issues[0]?.message).toBe('own')
    expect(z.string().min(5).safeParse('').error?.issues[0]?.message).toBe('map')
  })

  // any: the compiler refuses a function as `error`.
  test.each<[string, any, unknown, string]>([
    ['of a schema', z.string({ error: told } as any), 1, 'invalid_type of number'],
    ['of a schema, for a missing value', z.string({ error: told } as any), undefined, 'invalid_type of undefined'],
    [
      'of a schema inside of another',
      z.object({ a: z.array(z.date({ error: told } as any)) }),
      { a: [1] },
      'invalid_type of number',
    ],
    ['of a check', z.string().min(3, { error: ({ minimum }: any) => `${minimum} or more` } as any), '', '3 or more'],
    ['of a format', z.email({ error: told } as any), 'x', 'invalid_string of undefined'],
    ['of refine', z.string().refine(() => false, { error: () => ({ message: 'object' }) } as any), '', 'object'],
    ['of refine, without an answer', z.string().refine(() => false, { error: () => {} } as any), '', 'Invalid input'],
    ['of a schema, without an answer', z.string({ error: () => {} } as any), 1, 'Expected string, received number'],
    ['inside of a union', z.union([z.string({ error: told } as any), z.null()]), 1, 'invalid_type of number'],
  ])('K5: a function as the error %s is asked for the message', async (_, schema, value, message) => {
    const { error } = schema.safeParse(value)
    const asynchronous = await schema.safeParseAsync(value)
    for (const [issue] of [error.issues, asynchronous.error.issues])
      expect((issue.unionErrors?.[0].issues[0] ?? issue).message).toBe(message)
    expect(schema.safeParse(value, { errorMap: () => ({ message: 'map' }) }).error.issues[0].message).toEqual(
      expect.any(String),
    )
  })

  test('maps see the whole path, inside of unions too', () => {
    const schema = z.object({ list: z.array(z.union([z.string(), z.number()])) })
    const { error } = schema.safeParse({ list: [true] }, { errorMap: (issue) => ({ message: issue.path.join('/') }) })
    const [issue] = error!.issues
    expect(issue).toMatchObject({ code: 'invalid_union', message: 'list/0' })
    expect((issue as { unionErrors: z.ValidationError[] }).unionErrors.map(({ issues }) => issues[0]?.message)).toEqual(
      ['list/0', 'list/0'],
    )
  })

  test.each([
    ['de', de, ['Muss mindestens 1 Element enthalten', 'Muss mindestens 2 Elemente enthalten', 'Ungültige Eingabe']],
    ['fr', fr, ['Doit contenir au moins 1 élément', 'Doit contenir au moins 2 éléments', 'Saisie invalide']],
  ] as const)('NC8: %s counts, and names what is no instance of a class', (_, errorMap, messages) => {
    const schemas = [z.array(z.any()).min(1), z.array(z.any()).min(2), z.instanceof(Map)]
    const inputs = [[], [], 1]
    const said = schemas.map((schema, index) => schema.safeParse(inputs[index], { errorMap }).error?.issues[0]?.message)
    expect(said).toEqual(messages)
    expect(z.instanceof(Map).safeParse(1).error?.issues).toEqual([
      { code: 'custom', path: [], message: 'Input not instance of Map', fatal: true },
    ])
  })

  test.each([
    [
      de,
      'Erforderlich',
      'Text erwartet, Zahl erhalten',
      'Muss mindestens 5 Zeichen enthalten',
      'Muss größer als 0 sein',
      'Ungültig: email',
    ],
    [
      fr,
      'Obligatoire',
      'Type attendu : texte, reçu : nombre',
      'Doit contenir au moins 5 caractères',
      'Doit être supérieur à 0',
      'Invalide : email',
    ],
  ] as const)('locales speak', (errorMap, required, type, short, small, email) => {
    const schema = z.object({
      a: z.string(),
      b: z.string(),
      c: z.string().min(5),
      d: z.number().positive(),
      e: z.string().email(),
    })
    const { error } = schema.safeParse({ b: 1, c: '', d: 0, e: '' }, { errorMap })
    expect(error?.issues.map(({ message }) => message)).toEqual([required, type, short, small, email])
  })

  test.each([
    ['de', de],
    ['fr', fr],
  ] as const)('%s has words of its own for every code', (_, errorMap) => {
    const one = (schema: z.AnySchema, value: unknown): z.Issue => schema.safeParse(value).error!.issues[0]!
    const issues = [
      one(z.literal('a'), 'b'),
      one(z.enum(['a']), 'b'),
      one(z.object({}).strict(), { a: 1 }),
      one(z.union([z.string(), z.null()]), 1),
      one(z.discriminatedUnion('t', [z.object({ t: z.literal('a') })]), {}),
      one(z.date(), new Date(Number.NaN)),
      one(
        z
          .any()
          .transform(() => 1)
          .and(z.any().transform(() => 2)),
        0,
      ),
      one(z.number().finite(), Infinity),
      one(z.number().multipleOf(2), 1),
      one(z.string().regex(/x/), ''),
      one(z.string().startsWith('x'), ''),
      one(z.string().endsWith('x'), ''),
      one(z.string().includes('x'), ''),
      one(z.array(z.any()).length(1), []),
      one(z.array(z.any()).max(0), [1]),
      one(z.set(z.any()).min(1), new Set()),
      one(z.date().max(new Date(0)), new Date(1)),
      one(z.number().max(0), 1),
      one(z.number().lt(0), 1),
      one(z.string().max(0), 'a'),
      one(
        z.string().refine(() => false),
        '',
      ),
      one(z.number().int(), 1.5),
    ]
    for (const issue of issues)
      expect(errorMap(issue, { data: 1, defaultError: issue.message }).message).not.toBe(issue.message)
  })
})

describe('V21: the built-in texts', () => {
  test('a locale hears of an exact size, and of another bound that it is not exact', () => {
    const texts = (words: object): string => JSON.stringify(words)
    const errorMap = createLocale({ types: {}, size: texts } as unknown as Words)
    const saidOf = (schema: z.AnySchema): unknown =>
      JSON.parse(schema.safeParse('a', { errorMap }).error?.issues[0]?.message ?? '')
    const byHand = z.string().superRefine((_, { addIssue }) => {
      addIssue({ code: 'too_small', type: 'string', minimum: 2, inclusive: true } as never)
    })
    const least = { least: true, exact: false, inclusive: true, limit: '2', unit: 'character' }
    expect({
      exact: saidOf(z.string().length(2)),
      least: saidOf(z.string().min(2)),
      byHand: saidOf(byHand),
    }).toEqual({ exact: { ...least, exact: true }, least, byHand: least })
  })

  test('Infinity is an issue with a code of its own', () => {
    const { error } = z.number().finite().safeParse(Number.POSITIVE_INFINITY)
    expect(error?.issues).toEqual([{ code: 'not_finite', message: 'Number must be finite', path: [] }])
  })

  test('defaultErrorMap is for maps that fall back to the message without them', () => {
    const errorMap: z.ErrorMap = (issue, context) =>
      issue.code === 'too_small' ? { message: 'Mine' } : z.defaultErrorMap(issue, context)
    const messageOf = (value: unknown): string | undefined =>
      z.string().min(2).safeParse(value, { errorMap }).error?.issues[0]?.message
    expect({ mine: messageOf('a'), builtIn: messageOf(1) }).toEqual({
      mine: 'Mine',
      builtIn: 'Expected string, received number',
    })
  })

  test('getErrorMap is the map of setErrorMap, and the built-in one without it', () => {
    const map: z.ErrorMap = () => ({ message: 'map' })
    z.setErrorMap(map)
    expect(z.getErrorMap()).toBe(map)
    z.setErrorMap()
    expect(z.getErrorMap()).toBe(z.defaultErrorMap)
  })
})

describe('V22: Standard Schema', () => {
  test('every schema has ~standard, version 1', () => {
    const standard = z.object({ a: z.string() })['~standard']
    expect({ version: standard.version, vendor: standard.vendor }).toEqual({ version: 1, vendor: 'sluice' })
    expect(standard.validate({ a: 'x', b: 1 })).toEqual({ value: { a: 'x' } })
    expect({ ...(standard.validate({ a: 1 }) as object) }).toEqual({
      issues: [
        {
          code: 'invalid_type',
          expected: 'string',
          received: 'number',
          path: ['a'],
          message: 'Expected string, received number',
        },
      ],
    })
  })
})
