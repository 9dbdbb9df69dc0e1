import { type Issue, ValidationError } from '../../errors/validation-error.ts'
import { withoutStack } from '../schema/without-stack.ts'
import type { AnyCore, Definition, Make, Run } from './definition.ts'
import type { LocaleOptions } from './issue.ts'
import { finalIssues, INVALID } from './report.ts'
import type { StandardSchema } from './standard.ts'

/** The result of `safeParse`. */
export type Result<Out, In = Out> =
  | { success: true; data: Out; error?: never }
  | { success: false; error: ValidationError<In>; data?: never }

/** The parts that schemas with a chain share with those of `sluice/z/mini`. */
export abstract class Base<out Out, out In> {
  /** The type that `parse` returns; only a type, see `z.infer`. */
  declare readonly _output: Out
  /** The type that `parse` takes; only a type, see `z.input`. */
  declare readonly _input: In
  /** The methods that a door adds to every schema; only a type. */
  declare readonly '~more': unknown
  /** The definition of this schema. */
  declare readonly def: Definition
  /** Makes the run from the definition. */
  declare readonly make: Make
  /** The run, made when first needed: intermediate steps of a chain never need one. */
  declare run: Run<Out> | undefined

  constructor(def: Definition | (Definition & { readonly [part: string]: unknown }), make: Make) {
    this.def = def
    this.make = make
  }

  abstract safeParse(value: unknown): { data?: Out; error?: { readonly issues: Issue[] } }

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

/** The part of every schema that parses. The chain comes with `Schema`. */
export class Core<out Out = unknown, out In = Out> extends Base<Out, In> {
  /** The output for a value that fits. @throws {ValidationError} for a value that does not fit. */
  parse(value: unknown, options?: LocaleOptions): Out {
    const { data, error } = this.safeParse(value, options)
    if (error) throw new ValidationError(error.issues)
    return data as Out
  }

  /** The output, or the error, without throwing; the error has no stack. */
  safeParse(value: unknown, options?: LocaleOptions): Result<Out, In> {
    const issues: Issue[] = []
    const data = runOf(this)(value, issues)
    return issues.length || data === INVALID
      ? { success: false, error: withoutStack(finalIssues(issues, options)) }
      : { success: true, data }
  }
}

/** The run of a schema, made once. */
export const runOf = <T extends AnyCore>(schema: T): Run<T['_output']> =>
  (schema.run ??= schema.make(schema.def, runOf as never, (fn) => fn))

/** The same kind of schema with another definition. A literal with one spread is much faster to make than two. */
export const derive = <T extends AnyCore>(schema: T, def: object): T => construct(schema.constructor, def, schema.make)

/** Create a schema of a class. Only {@link Base} has a constructor, and without `super` this takes half the time. */
export const construct = <T>(type: unknown, def: object, make: Make): T =>
  Reflect.construct(Base, [def, make], type as never)
