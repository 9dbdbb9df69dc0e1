import * as z from '../../../src/z.ts'

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
