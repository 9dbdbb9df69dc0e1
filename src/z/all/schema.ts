import { Schema as SmallSchema } from '../../internal/z/schema.ts'
import type { Zod3Schema } from './zod3-methods.ts'

/**
 * Any schema of `sluice/zod3` with this output and input. In zod 3 the input is the third:
 * `ZodType<Out, ZodTypeDef, In>`.
 */
// any: the type of zod 3 if none is given.
export type Schema<Out = any, In = Out, Last = In> = Zod3Schema<SmallSchema<Out, Last>>

/** The class for `schema instanceof Schema`: every schema with a chain is an instance. */
export const Schema: abstract new (...args: never[]) => Schema = SmallSchema as never
