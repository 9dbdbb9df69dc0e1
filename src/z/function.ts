import { type Issue, ValidationError } from '../errors/validation-error.ts'
import { derive, runOf } from '../internal/z/core.ts'
import type { AnyCore, Definition, Run } from '../internal/z/definition.ts'
import type { IssueData, Params } from '../internal/z/issue.ts'
import { INVALID, report, wrongType } from '../internal/z/report.ts'
import { Schema } from '../internal/z/schema.ts'
import { parseAsync } from './parse-async.ts'
import { unknown } from './primitives.ts'
import { type TupleItems, type TupleSchema, tuple } from './tuple.ts'

/** A tuple of arguments. */
// any: tuples of every kind must be assignable
export type Arguments = TupleSchema<any, any>

interface FunctionDefinition extends Definition {
  readonly args: AnyCore
  readonly returns: AnyCore
}

type Outer<Args extends AnyCore, Returns extends AnyCore> = (
  ...args: Extract<Args['_input'], unknown[]>
) => Returns['_output']

type Inner<Args extends AnyCore, Returns extends AnyCore> = (
  ...args: Extract<Args['_output'], unknown[]>
) => Returns['_input']

/** The schema that `function()` returns. It wraps functions in checks of their arguments and result. */
export class FunctionSchema<Args extends AnyCore, out Returns extends AnyCore> extends Schema<
  Outer<Args, Returns>,
  Inner<Args, Returns>
> {
  declare readonly def: FunctionDefinition

  /** The schema of the arguments. */
  parameters(): Args {
    return this.def.args as Args
  }

  /** The schema of the function's result. */
  returnType(): Returns {
    return this.def.returns as Returns
  }

  /** The same schema with these arguments; further ones are not checked. */
  args<Items extends AnyCore[]>(
    ...items: Items
  ): this['~more'] & FunctionSchema<TupleSchema<Extract<Items, TupleItems>, Schema<unknown>>, Returns> {
    return derive(this, { ...this.def, args: tuple(items as never as []).rest(unknown()) }) as never
  }

  /** The same schema with this schema of the function's result. */
  returns<Next extends AnyCore>(returns: Next): this['~more'] & FunctionSchema<Args, Next> {
    return derive(this, { ...this.def, returns }) as never
  }

  /** The function, with checks of its arguments and its result. */
  implement<Given extends Inner<Args, Returns>>(given: Given): Outer<Args, Returns> {
    return wrapFunction(this.def, given as never)
  }

  /** The same as `implement`. */
  strictImplement(given: Inner<Args, Returns>): Outer<Args, Returns> {
    return this.implement(given)
  }

  /** The same as `implement`. */
  validate<Given extends Inner<Args, Returns>>(given: Given): Outer<Args, Returns> {
    return this.implement(given)
  }
}

/** The error of a call, which contains the error of its arguments or of its result. */
const callError = (issue: IssueData, text: string): ValidationError => {
  const issues: Issue[] = []
  report(issues, undefined, issue, text)
  return new ValidationError(issues)
}

const argumentsFailed = (argumentsError: ValidationError): ValidationError =>
  callError({ code: 'invalid_arguments', argumentsError }, 'Invalid function arguments')

const returnFailed = (returnTypeError: ValidationError): ValidationError =>
  callError({ code: 'invalid_return_type', returnTypeError }, 'Invalid function return type')

const parseOrThrow = (schema: AnyCore, value: unknown, toError: typeof argumentsFailed): unknown => {
  const issues: Issue[] = []
  const out: unknown = runOf(schema)(value, issues)
  if (issues.length || out === INVALID) throw toError(new ValidationError(issues))
  return out
}

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown

/** The checks of a function that returns a promise are asynchronous too. */
const wrapFunction = ({ args, returns }: FunctionDefinition, implementation: AnyFunction): AnyFunction => {
  if (returns.def.type !== 'promise') {
    return function checked(...input) {
      const result = Reflect.apply(implementation, this, parseOrThrow(args, input, argumentsFailed) as unknown[])
      return parseOrThrow(returns, result, returnFailed)
    }
  }
  const { inner } = returns.def as Definition & { inner: AnyCore }
  return async function checked(...input) {
    const parsed = await parseAsync(args, input).catch((error) => Promise.reject(argumentsFailed(error)))
    const result: unknown = await Reflect.apply(implementation, this, parsed)
    return parseAsync(inner, result).catch((error) => Promise.reject(returnFailed(error)))
  }
}

const makeFunction =
  (def: FunctionDefinition): Run =>
  (value, issues) =>
    typeof value === 'function'
      ? wrapFunction(def, value as AnyFunction)
      : wrongType(issues, value, 'function', def.params)

/** The form of zod 4: the schema of the arguments, or a list of exactly these, and the schema of the result. */
export interface FunctionParts<Input extends AnyCore | readonly AnyCore[], Output extends AnyCore> {
  readonly input?: Input
  readonly output?: Output
}

/**
 * Accept functions: `z.function(args, returns)`, or `z.function({ input, output })` as in zod 4. What comes back checks
 * its arguments and what it returns. Reports `invalid_type`; calls throw `invalid_arguments` and `invalid_return_type`.
 *
 * @example
 * functionOf(tuple([string()]), number()).implement((text) => text.length)('abc') // 3
 */
export const functionOf = (
  args?: AnyCore | AnyCore[] | FunctionParts<AnyCore | AnyCore[], AnyCore>,
  returns: AnyCore = unknown(),
  params?: Params,
): FunctionSchema<AnyCore, AnyCore> => {
  if (args && !Array.isArray(args) && !('def' in args)) {
    const { input, output } = args
    return functionOf(Array.isArray(input) ? tuple(input as []) : input, output, params)
  }
  const inputs = args && !Array.isArray(args) ? args : tuple((args ?? []) as []).rest(unknown())
  return new FunctionSchema({ type: 'function', args: inputs, returns, params } as Definition, makeFunction)
}
