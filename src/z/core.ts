import { type Issue, ValidationError, withoutStack } from '../internal/validation-error.ts'
import type { Definition, Make } from './definition.ts'
import type { ParseOptions } from './issue.ts'
import { INVALID, type Run, settle } from './run.ts'
import type { StandardSchema } from './standard.ts'
import type { Result } from './types.ts'

/** What every schema can do: parse. The chain comes with `Schema`; a schema of `sluice/z/mini` has none. */
export class Core<Out = unknown, In = Out> {
  /** The type that `parse` returns; only a type, see `z.infer`. */
  declare readonly _output: Out
  /** The type that `parse` takes; only a type, see `z.input`. */
  declare readonly _input: In
  /** What this schema is, as data. */
  readonly def: Definition
  /** Makes the run from the definition. */
  readonly make: Make
  /** The run, made when first needed: intermediate steps of a chain never are. */
  run: Run<Out> | undefined

  constructor(def: Definition, make: Make) {
    this.def = def
    this.make = make
    this.run = undefined
  }

  /** What `describe`, or the parameters, said about it. */
  get description(): string | undefined {
    return this.def.description ?? this.def.params?.description
  }

  /** The output for a value that fits. @throws {ValidationError} for one that does not. */
  parse(value: unknown, options?: ParseOptions): Out {
    const issues: Issue[] = []
    const data = runOf(this)(value, issues)
    if (issues.length || data === INVALID) throw new ValidationError(settle(issues, options))
    return data
  }

  /** The output, or the error, without throwing; the error has no stack. */
  safeParse(value: unknown, options?: ParseOptions): Result<Out, In> {
    const issues: Issue[] = []
    const data = runOf(this)(value, issues)
    return issues.length || data === INVALID
      ? { success: false, error: withoutStack(settle(issues, options)) }
      : { success: true, data }
  }

  /** Standard Schema, version 1. A failure is the error itself, which has `issues`. */
  get '~standard'(): StandardSchema<In, Out> {
    return {
      version: 1,
      vendor: 'sluice',
      validate: (value) => {
        const { data, error } = this.safeParse(value)
        return error ?? { value: data as Out }
      },
    }
  }
}

/** The run of a schema, made once. */
// any: what goes in has no say here.
export const runOf = <Out>(schema: Core<Out, any>): Run<Out> => {
  schema.run ??= schema.make(schema.def, runOf as never, same)
  return schema.run!
}

const same = <T>(value: T): T => value

/** The same schema with another definition; what is not named stays. */
export const derive = <T extends Core<any, any>>(schema: T, change: object): T =>
  new (schema.constructor as typeof Core)({ ...schema.def, ...change }, schema.make) as T
