import { Schema as SmallSchema } from '../../internal/z/schema.ts'
import type { Whole } from './more.ts'

/** Any schema of `sluice/z` with this output and input. */
// any: zod 3 says so where no type is given.
export type Schema<Out = any, In = Out> = Whole<SmallSchema<Out, In>>

/** For `schema instanceof Schema`: every schema with a chain. */
export const Schema: abstract new (...args: never[]) => Schema = SmallSchema as never
