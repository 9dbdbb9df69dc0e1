import * as z from '../../../src/zod3.ts'

// Deliver 2: the input is the third argument of ZodType, as in zod 3
export const parseAs = <Out, In>(schema: z.ZodType<Out, z.ZodTypeDef, In>, value: unknown): Out => schema.parse(value)
parseAs(z.string().transform(Number), 'x') satisfies number
declare const anyIn: z.ZodSchema<number, z.ZodTypeDef, any>
anyIn.parse(1) satisfies number
declare const three: z.ZodType<number, z.ZodTypeDef, string>
null as never as z.input<typeof three> satisfies string
// @ts-expect-error the input is a text
null as never as z.input<typeof three> satisfies number
declare const two: z.ZodType<number, string>
null as never as z.input<typeof two> satisfies string
// @ts-expect-error as with two arguments
null as never as z.input<typeof two> satisfies number

const Name = z.object({ name: z.string() })
declare const errors: z.inferFlattenedErrors<typeof Name>
errors.fieldErrors.name satisfies string[] | undefined
declare const tree: z.inferFormattedError<typeof Name, number>
tree.name?._errors satisfies number[] | undefined
declare const found: z.SafeParseReturnType<string, number>
if (found.success) found.data satisfies number
else found.error.issues satisfies z.ZodIssue[]
declare const small: z.ZodTooSmallIssue
small.minimum satisfies number | bigint
declare const code: z.ZodIssueCode
code satisfies z.ZodIssue['code']
// @ts-expect-error there is no such code
'nope' satisfies z.ZodIssueCode

// Generic helpers as they are written for zod 3 take every object schema, however it was made
const A = z.object({ type: z.literal('a'), x: z.string(), o: z.string().optional() })
const B = z.object({ type: z.literal('b'), y: z.number().optional() })
const one = <T extends z.ZodObject<any>>(schema: T): T => schema
const three3 = <T extends z.ZodObject<any, any, any>>(schema: T): z.infer<T> => schema.parse({})
const anyObject = <T extends z.AnyZodObject>(schema: T): T['shape'] => schema.shape
const someObject = <T extends z.SomeZodObject>(schema: T): keyof T['shape'] => Object.keys(schema.shape)[0] as never
const ofShape = <T extends z.ZodRawShape>(shape: T): z.ZodObject<T, 'strict'> => z.object(shape).strict()
const shapeOf = <T extends z.ZodRawShape>(schema: z.ZodObject<T>): T => schema.shape
const anything = <T extends z.ZodTypeAny>(schema: T): z.infer<T> => schema.parse({})
const optionalOf = <T extends z.ZodTypeAny>(schema: T): z.ZodOptional<T> => schema.optional() as z.ZodOptional<T>
one(A).shape.x.min(1)
one(A.strict()).shape.x.min(1)
three3(A).x satisfies string
three3(A.passthrough()).x satisfies string
three3(A.extend({ n: z.number() })).n satisfies number
three3(A.merge(B)).y satisfies number | undefined
three3(A.deepPartial()).x satisfies string | undefined
anyObject(A.catchall(z.number())).x satisfies z.ZodString
someObject(A.pick({ x: true })) satisfies 'x'
ofShape({ a: z.string() }).parse({}).a satisfies string
shapeOf(A.omit({ type: true })).x satisfies z.ZodString
anything(A).x satisfies string
anything(A.strict()).x satisfies string
anything(A.optional()) satisfies { x: string } | undefined
anything(A.array())[0]?.x satisfies string | undefined
anything(z.string().transform(Number)) satisfies number
anything(z.discriminatedUnion('type', [A, B])).type satisfies 'a' | 'b'
optionalOf(A).unwrap().shape.x satisfies z.ZodString
// @ts-expect-error a text is no object
one(z.string())
// @ts-expect-error nor is an array of objects
anyObject(A.array())
// @ts-expect-error such a key is not there
someObject(A) satisfies 'zzz'
const all: z.ZodTypeAny[] = [A, B.strict(), A.deepPartial(), z.string(), z.number().optional(), z.array(A), A.or(B)]
all.map((schema) => schema.isOptional() satisfies boolean)
const objects: z.AnyZodObject[] = [A, B, A.strict(), A.deepPartial(), A.merge(B), A.required()]
objects.map((schema) => Object.keys(schema.shape))
const tagged: z.ZodDiscriminatedUnionOption<'type'>[] = [A, B.strict()]
// @ts-expect-error it has no key `kind`
const otherwise: z.ZodDiscriminatedUnionOption<'kind'> = A
void [tagged, otherwise]
z.discriminatedUnion('type', [A, B]).options.map((option) => option.shape.type.value satisfies 'a' | 'b')

// What zod 3 shows for `z.object({ a: z.string() })` can be written down
type Shown = z.ZodObject<{ a: z.ZodString }, 'strip', z.ZodTypeAny, { a: string }, { a: string }>
const shown: Shown = z.object({ a: z.string() })
shown.parse({}).a satisfies string
// @ts-expect-error a stricter schema is another type
const notShown: Shown = z.object({ a: z.string() }).strict()
void notShown

declare const made: z.objectOutputType<{ a: z.ZodString; b: z.ZodOptional<z.ZodNumber> }, z.ZodTypeAny, 'strip'>
made satisfies { a: string; b?: number | undefined }
// @ts-expect-error there is no further key
made.zzz
declare const kept: z.objectInputType<{ a: z.ZodString }, z.ZodTypeAny, 'passthrough'>
kept.zzz satisfies unknown
const check: z.SuperRefinement<string> = (text, ctx) => ctx.addIssue({ code: 'custom', message: text })
z.string().superRefine(check)
const first: z.ZodNonEmptyArray<z.ZodString> = z.array(z.string()).nonempty()
first.parse([])[0] satisfies string
const key: z.KeySchema = z.enum(['a', 'b'])
void key
declare const names: z.ZodInvalidDateIssue | z.ZodNotFiniteIssue | z.ZodInvalidIntersectionTypesIssue
names.code satisfies z.ZodIssueCode

// A type of its own for a schema that holds itself, and covariance where it is wanted and not elsewhere
interface Node {
  children: Node[]
}
const node: z.ZodType<Node> = z.object({ children: z.array(z.lazy(() => node)) })
declare const narrow: z.ZodType<'a'>
narrow satisfies z.ZodType<string>
// @ts-expect-error a text is not always `a`
z.string() satisfies z.ZodType<'a'>
z.object({ a: z.literal('a'), b: z.string() }) satisfies z.ZodObject<{ a: z.ZodType<string> }>
// @ts-expect-error the key is not there
z.object({ a: z.string() }) satisfies z.ZodObject<{ a: z.ZodString; b: z.ZodString }>
// @ts-expect-error a number is not a text
z.object({ a: z.number() }) satisfies z.ZodObject<{ a: z.ZodString }>
declare const failed: z.ZodError<{ a: string } | { b: string }>
failed.flatten().fieldErrors satisfies { a?: string[]; b?: string[] }
// @ts-expect-error there is no such key
failed.flatten().fieldErrors.c
failed satisfies z.ZodError<unknown>

// Helpers of tuples, functions and errors
declare const pair: z.OutputTypeOfTuple<[z.ZodString, z.ZodNumber]>
pair satisfies [string, number]
declare const open: z.OutputTypeOfTupleWithRest<[z.ZodString], z.ZodNumber>
open satisfies [string, ...number[]]
declare const taken: z.InputTypeOfTuple<[z.ZodDefault<z.ZodString>]>
taken satisfies [(string | undefined)?]
declare const takenOpen: z.InputTypeOfTupleWithRest<[z.ZodString], z.ZodNumber>
takenOpen[1] satisfies number | undefined
declare const outer: z.OuterTypeOfFunction<z.ZodTuple<[z.ZodString], z.ZodUnknown>, z.ZodNumber>
outer('a') satisfies number
declare const inner: z.InnerTypeOfFunction<z.ZodTuple<[z.ZodString], z.ZodUnknown>, z.ZodNumber>
inner('a') satisfies number
declare const tree2: z.DenormalizedError
tree2.a satisfies z.DenormalizedError | string[] | undefined
'v4' satisfies z.IpVersion
declare const effects: z.ZodTransformer<z.ZodString, number, string>
effects.innerType() satisfies z.ZodString

// The error of a failed parse is the ZodError of zod 3, with `errors`; also where the schema is in another one
declare const report3: (error: z.ZodError<{ a: string }>) => void
const named3 = z.object({ a: z.string() })
for (const schema of [named3.optional(), named3.refine(() => true), named3.or(named3), named3.pipe(named3)]) {
  const result = schema.safeParse(1)
  if (!result.success) report3(result.error as z.ZodError<{ a: string }>)
  if (!result.success) result.error.errors[0]?.message satisfies string | undefined
}
const parsed3 = named3.safeParse(1)
if (!parsed3.success) report3(parsed3.error)
if (!parsed3.success) parsed3.error.formErrors.fieldErrors.a satisfies string[] | undefined
named3.safeParseAsync(1).then((result) => result.success || report3(result.error))
named3.array().nonempty().spa(1) satisfies Promise<
  z.SafeParseReturnType<{ a: string }[], [{ a: string }, ...{ a: string }[]]>
>
