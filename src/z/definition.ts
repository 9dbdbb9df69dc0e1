import type { IssueData, Params, Text } from './issue.ts'
import type { Run } from './run.ts'
import type { AnySchema } from './schema.ts'

/** What a schema is, as data: enough to describe it, to build another from it, and to make its run. */
export interface Definition {
  /** The kind: `string`, `object`, `optional` … */
  readonly type: string
  readonly params?: Params | undefined
  readonly description?: string | undefined
}

/** The run of a child, or one that stands for it: `parseAsync` puts its own here. */
export type Use = (schema: AnySchema) => Run<never>

/** A user's function, or one that stands for it and remembers what the function gave. */
export type Call = <Fn>(fn: Fn) => Fn

/**
 * Make the run of a definition. Pure, and all that reaches children or user code goes through `use` and `call`, so one rule serves both
 * the synchronous and the asynchronous parse.
 */
// any: each kind reads its own definition.
export type Make = (definition: any, use: Use, call: Call) => Run<any>

/** One check of a string, number, bigint, date, array or set. */
export interface Check {
  /** The method that added it: `min`, `email` … */
  readonly kind: string
  /** Its limit, pattern or options. */
  readonly value?: unknown
  /** Is the value as it should be; never for a check that changes it. */
  // any: the type was proved before the checks run.
  readonly holds: (value: any) => boolean
  /** What goes on instead of the value. */
  // any: as above.
  readonly change?: ((value: any) => unknown) | undefined
  /** What is reported when it fails. */
  readonly issue?: IssueData | undefined
  readonly text?: Text | undefined
}
