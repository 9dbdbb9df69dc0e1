import { z as zod } from 'zod/v3'
import type { Schema } from '../../../src/internal/z/schema.ts'
import * as z from '../../../src/zod3.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** Compiles when what comes out, and what goes in, has the same type in both libraries. */
const same = <Mine extends Schema<any, any>, Theirs extends zod.ZodTypeAny>(
  _mine: Mine,
  _theirs: Theirs,
  ..._equal: Equal<z.infer<Mine>, zod.infer<Theirs>> extends true
    ? Equal<z.input<Mine>, zod.input<Theirs>> extends true
      ? []
      : [differentInput: z.input<Mine>, zod.input<Theirs>]
    : [differentOutput: z.infer<Mine>, zod.infer<Theirs>]
): void => undefined

enum Native {
  low,
  high = 'h',
}
const level = { low: 0, high: 1 } as const

// V19: leaves
same(z.string(), zod.string())
same(z.string().min(1).email(), zod.string().min(1).email())
same(z.number(), zod.number())
same(z.bigint(), zod.bigint())
same(z.boolean(), zod.boolean())
same(z.date(), zod.date())
same(z.symbol(), zod.symbol())
same(z.null(), zod.null())
same(z.undefined(), zod.undefined())
same(z.void(), zod.void())
same(z.any(), zod.any())
same(z.unknown(), zod.unknown())
same(z.never(), zod.never())
same(z.nan(), zod.nan())
same(z.literal('a'), zod.literal('a'))
same(z.literal(5), zod.literal(5))
same(z.literal(true), zod.literal(true))
same(z.enum(['a', 'b']), zod.enum(['a', 'b']))
same(z.enum(['a', 'b', 'c']).extract(['a', 'b']), zod.enum(['a', 'b', 'c']).extract(['a', 'b']))
same(z.enum(['a', 'b', 'c']).exclude(['a']), zod.enum(['a', 'b', 'c']).exclude(['a']))
same(z.nativeEnum(level), zod.nativeEnum(level))
same(z.nativeEnum(Native), zod.nativeEnum(Native))
same(z.instanceof(URL), zod.instanceof(URL))
same(z.custom<`${number}px`>(), zod.custom<`${number}px`>())
same(z.coerce.string(), zod.coerce.string())
same(z.coerce.number(), zod.coerce.number())
same(z.coerce.boolean(), zod.coerce.boolean())
same(z.coerce.date(), zod.coerce.date())
same(z.coerce.bigint(), zod.coerce.bigint())

// V18: wrappers
same(z.string().optional(), zod.string().optional())
same(z.string().nullable(), zod.string().nullable())
same(z.string().nullish(), zod.string().nullish())
same(z.optional(z.string()), zod.optional(zod.string()))
same(z.nullable(z.string()), zod.nullable(zod.string()))
same(z.string().default('x'), zod.string().default('x'))
same(z.string().optional().default('x'), zod.string().optional().default('x'))
same(
  z
    .string()
    .default(() => 'x')
    .optional(),
  zod
    .string()
    .default(() => 'x')
    .optional(),
)
same(z.string().catch('x'), zod.string().catch('x'))
same(z.string().readonly(), zod.string().readonly())
same(z.array(z.string()).readonly(), zod.array(zod.string()).readonly())
same(z.object({ a: z.string() }).readonly(), zod.object({ a: zod.string() }).readonly())
same(z.map(z.string(), z.date()).readonly(), zod.map(zod.string(), zod.date()).readonly())
same(z.set(z.string()).readonly(), zod.set(zod.string()).readonly())
same(z.tuple([z.string(), z.number()]).readonly(), zod.tuple([zod.string(), zod.number()]).readonly())
same(z.string().describe('x'), zod.string().describe('x'))
same(
  z.string().refine((text) => text),
  zod.string().refine((text) => text),
)
same(
  z.string().refine((text): text is 'a' => text === 'a'),
  zod.string().refine((text): text is 'a' => text === 'a'),
)
same(
  z.string().superRefine(() => undefined),
  zod.string().superRefine(() => undefined),
)
same(
  z.string().transform((text) => text.length),
  zod.string().transform((text) => text.length),
)
same(
  z.string().transform(async (text) => text.length),
  zod.string().transform(async (text) => text.length),
)
same(z.string().transform(Number).pipe(z.number()), zod.string().transform(Number).pipe(zod.number()))
same(z.preprocess(String, z.string()), zod.preprocess(String, zod.string()))

// V12: combinations
same(z.union([z.string(), z.number()]), zod.union([zod.string(), zod.number()]))
same(z.string().or(z.number()), zod.string().or(zod.number()))
same(
  z.object({ a: z.string() }).and(z.object({ b: z.number() })),
  zod.object({ a: zod.string() }).and(zod.object({ b: zod.number() })),
)
same(z.intersection(z.string(), z.literal('a')), zod.intersection(zod.string(), zod.literal('a')))
same(
  z.discriminatedUnion('t', [z.object({ t: z.literal('a'), x: z.string() }), z.object({ t: z.literal('b') })]),
  zod.discriminatedUnion('t', [
    zod.object({ t: zod.literal('a'), x: zod.string() }),
    zod.object({ t: zod.literal('b') }),
  ]),
)
same(
  z.lazy(() => z.string()),
  zod.lazy(() => zod.string()),
)

// V14: collections
same(z.array(z.string()), zod.array(zod.string()))
same(z.array(z.string()).nonempty(), zod.array(zod.string()).nonempty())
same(z.array(z.string().default('x')), zod.array(zod.string().default('x')))
same(z.tuple([]), zod.tuple([]))
same(z.tuple([z.string(), z.number().optional()]), zod.tuple([zod.string(), zod.number().optional()]))
same(z.tuple([z.string()]).rest(z.number()), zod.tuple([zod.string()]).rest(zod.number()))
same(z.record(z.number()), zod.record(zod.number()))
same(z.record(z.string(), z.number()), zod.record(zod.string(), zod.number()))
same(z.record(z.enum(['a', 'b']), z.number()), zod.record(zod.enum(['a', 'b']), zod.number()))
same(z.map(z.string(), z.number().default(1)), zod.map(zod.string(), zod.number().default(1)))
same(z.set(z.string()), zod.set(zod.string()))

// V13: objects
const mine = z.object({
  a: z.string(),
  b: z.number().optional(),
  c: z.date().default(new Date(0)),
  d: z.unknown(),
  e: z.string().nullish(),
})
const theirs = zod.object({
  a: zod.string(),
  b: zod.number().optional(),
  c: zod.date().default(new Date(0)),
  d: zod.unknown(),
  e: zod.string().nullish(),
})
same(mine, theirs)
same(z.object({}), zod.object({}))
same(mine.partial(), theirs.partial())
same(mine.partial({ a: true }), theirs.partial({ a: true }))
same(mine.required(), theirs.required())
same(mine.required({ b: true }), theirs.required({ b: true }))
same(mine.pick({ a: true, b: true }), theirs.pick({ a: true, b: true }))
same(mine.omit({ a: true }), theirs.omit({ a: true }))
same(mine.extend({ f: z.string() }), theirs.extend({ f: zod.string() }))
same(mine.extend({ a: z.number() }), theirs.extend({ a: zod.number() }))
same(
  mine.merge(z.object({ a: z.number(), g: z.string() })),
  theirs.merge(zod.object({ a: zod.number(), g: zod.string() })),
)
same(mine.strict(), theirs.strict())
same(mine.strip(), theirs.strip())
same(mine.passthrough(), theirs.passthrough())
same(mine.catchall(z.number()), theirs.catchall(zod.number()))
same(mine.keyof(), theirs.keyof())
same(
  z.object({ a: z.object({ b: z.array(z.object({ c: z.string() })) }) }).deepPartial(),
  zod.object({ a: zod.object({ b: zod.array(zod.object({ c: zod.string() })) }) }).deepPartial(),
)
same(z.strictObject({ a: z.string() }), zod.strictObject({ a: zod.string() }))
same(
  z.object({
    list: z.array(z.object({ a: z.union([z.string(), z.null()]) })),
    at: z.object({ x: z.number() }).partial().nullable(),
  }),
  zod.object({
    list: zod.array(zod.object({ a: zod.union([zod.string(), zod.null()]) })),
    at: zod.object({ x: zod.number() }).partial().nullable(),
  }),
)

// V1: results are told apart by `success`
const result = mine.safeParse({})
if (result.success) result.data.a satisfies string
else result.error.issues[0]?.path satisfies (string | number)[] | undefined

// V2: issues are told apart by their code
const read = (issue: z.Issue): unknown =>
  issue.code === 'too_small' ? issue.minimum : issue.code === 'invalid_type' ? issue.expected : undefined
void read

// V5: format and flatten know the keys
if (!result.success) {
  result.error.format().a?._errors satisfies string[] | undefined
  result.error.flatten().fieldErrors.a satisfies string[] | undefined
  // @ts-expect-error there is no such key
  result.error.format().zzz
}

// V6: what is not there is refused
// @ts-expect-error numbers have no e-mail
z.number().email()
// @ts-expect-error no such key to pick
mine.pick({ zzz: true })
// @ts-expect-error the default has the type of the schema
z.string().default(5)

// V22: a Standard Schema
const standard: { readonly '~standard': { readonly version: 1; readonly vendor: string } } = mine
void standard
// V18: brands tell types apart
const branded = z.string().brand<'Id'>()
const takes = (_: z.infer<typeof branded>): void => undefined
// @ts-expect-error a plain string has no brand
takes('x')
// zod 4's form of functions: exactly these arguments
const measured = z.function({ input: [z.string()], output: z.number() }).implement((text) => text.length)
const length: number = measured('abc')
void length
// @ts-expect-error one argument too many
measured('abc', 1)
// @ts-expect-error not what the schema says
z.function({ input: [z.string()], output: z.number() }).implement((text) => text)
