import type { Issue, IssueData, Params } from './issue.ts'

/**
 * The rule of a schema: adds issues, and returns the output. A value with issues is returned too, so that every check
 * can report. The output is `INVALID` if no further check can run.
 */
export type Run<Out = unknown> = (value: unknown, issues: Issue[]) => Out

/** Facts for readers of a schema: those that JSON Schema has, and any others. */
export interface Meta {
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly [name: string]: unknown
}

/** A schema as data. */
export interface Definition {
  /** The kind: `string`, `object`, `optional` … */
  readonly type: string
  readonly params?: Params | undefined
  readonly description?: string | undefined
  readonly meta?: Meta | undefined
}

/** Any schema, with a chain or without. */
export interface AnyCore {
  // any: schemas of every type must be assignable
  readonly _output: any
  // any: as above
  readonly _input: any
  /** The methods that a door adds to every schema that it returns; only a type. */
  readonly '~more': unknown
  readonly def: Definition
  readonly make: Make
  run: Run | undefined
  /** The class for a schema that is made from this one: it replaces the class that is passed in. */
  '~as'?(type: never): unknown
}

/** Returns the run of a child; in `parseAsync` a stand-in for it. */
export type RunOf = (schema: AnyCore) => Run<never>

/** Returns a user's function; in `parseAsync` a stand-in that remembers its result. */
export type Call = <Fn>(fn: Fn) => Fn

/** Makes the run for both kinds of parse: it reaches children and user code by `use` and `call` alone. */
// any: each kind reads its own definition
export type Make = (definition: any, use: RunOf, call: Call) => Run<any>

/** One check of a string, number, bigint, date, array or set. */
export interface Check {
  /** The method that added it: `min`, `email` … */
  readonly kind: string
  /** Its limit, pattern or options. */
  readonly value?: unknown
  /** True for a value that passes; never true for a check that changes the value. */
  // any: the type was proved before the checks run
  readonly holds: (value: any) => boolean
  /** Returns the value that replaces the one that was checked. */
  // any: as above
  readonly change?: ((value: any) => unknown) | undefined
  /** A pattern that every accepted string matches, if the check does more. */
  readonly pattern?: RegExp
  /** The issue that is reported when it fails. */
  readonly issue?: IssueData | undefined
  /** The built-in message of that issue. */
  readonly text?: string | undefined
  /** The message that the user gave. */
  readonly message?: string | undefined
}

/** A definition with checks, which run in this order. */
export interface CheckedDefinition extends Definition {
  readonly checks: readonly Check[]
  /** Converts the value before its type is checked. */
  readonly coerce?: ((value: unknown) => unknown) | undefined
}

/** The parts that definitions of different kinds have, for functions that walk through schemas. */
export interface DefinitionParts extends Definition {
  readonly checks?: readonly Check[]
  readonly coerce?: CheckedDefinition['coerce']
  readonly inner?: AnyCore
  readonly target?: AnyCore
  readonly key?: AnyCore
  readonly rest?: AnyCore
  readonly left?: AnyCore
  readonly right?: AnyCore
  readonly catchall?: AnyCore
  readonly items?: readonly AnyCore[]
  readonly options?: readonly AnyCore[]
  readonly optionsMap?: ReadonlyMap<unknown, AnyCore>
  readonly discriminator?: string
  readonly shape?: { readonly [key: string]: AnyCore }
  readonly getter?: () => AnyCore
  readonly value?: unknown
  readonly values?: readonly unknown[]
}

/** Whether a value is a schema of any door, not parameters. */
export const isSchema = (value: unknown): value is AnyCore => (value as AnyCore | undefined)?.def !== undefined

/** The facts about a schema, from `meta`, `describe` and its parameters. */
export const metaOf = ({ meta, description, params }: Definition): Meta | undefined => {
  const text = description ?? params?.description
  return text === undefined ? meta : { ...meta, description: text }
}
