import type { Issue } from '../schema/validation-error.ts'
import type { IssueData, Params } from './issue.ts'

/**
 * The rule of a schema: takes a value, returns the output, and adds issues.
 *
 * A value with issues is still returned, so that every check can report; only a value on which no further check
 * can run is `INVALID`.
 */
export type Run<Out = unknown> = (value: unknown, issues: Issue[]) => Out

/** The facts for readers of a schema: those that JSON Schema can express, and any others. */
export interface Meta {
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly [name: string]: unknown
}

/** A schema as data: enough to describe it, to build another from it, and to make its run. */
export interface Definition {
  /** The kind: `string`, `object`, `optional` … */
  readonly type: string
  readonly params?: Params | undefined
  readonly description?: string | undefined
  readonly meta?: Meta | undefined
}

/** Any schema, with a chain or without: its types, its definition, and the function that makes its run. */
export interface AnyCore {
  // any: schemas of every type must be assignable.
  readonly _output: any
  // any: as above.
  readonly _input: any
  /** The methods that a door adds to every schema that it returns; only a type. */
  readonly '~more': unknown
  readonly def: Definition
  readonly make: Make
  run: Run | undefined
  /** The class for a schema that is made from this one: it replaces the class that is passed in. */
  '~as'?(type: never): unknown
}

/** Returns the run of a child, or a stand-in: `parseAsync` passes its own function. */
export type Use = (schema: AnyCore) => Run<never>

/** A user's function, or a stand-in that remembers its result. */
export type Call = <Fn>(fn: Fn) => Fn

/**
 * Make the run of a definition. Pure: children and user code are reached through `use` and `call` only, so one
 * rule serves both the synchronous and the asynchronous parse.
 */
// any: each kind reads its own definition.
export type Make = (definition: any, use: Use, call: Call) => Run<any>

/** One check of a string, number, bigint, date, array or set. */
export interface Check {
  /** The method that added it: `min`, `email` … */
  readonly kind: string
  /** Its limit, pattern or options. */
  readonly value?: unknown
  /** True for a value that passes; absent for a check that changes the value. */
  // any: the type was proved before the checks run.
  readonly holds: (value: any) => boolean
  /** Returns the value that replaces the one that was checked. */
  // any: as above.
  readonly change?: ((value: any) => unknown) | undefined
  /** A pattern that every accepted string matches, for a check that is more than its pattern. */
  readonly pattern?: RegExp
  /** The issue that is reported when it fails. */
  readonly issue?: IssueData | undefined
  /** The message of that issue, unless the check was given one. */
  readonly text?: string | undefined
  /** The message that the check was given. */
  readonly message?: string | undefined
}

/** A definition with checks, which run in the order in which they were added. */
export interface CheckedDefinition extends Definition {
  readonly checks: readonly Check[]
  /** A conversion of the value before its type is checked. */
  readonly coerce?: ((value: unknown) => unknown) | undefined
}
