import { type Issue, ValidationError, withoutStack } from '../internal/validation-error.ts'
import type { ParseOptions } from './issue.ts'
import { INVALID, settle } from './run.ts'
import { runAsync } from './run-async.ts'
import type { AnySchema } from './schema.ts'
import type { StandardSchema } from './standard.ts'
import type { Result } from './types.ts'

/**
 * Like `schema.safeParse`, for schemas whose `refine`, `superRefine`, `transform`, `preprocess`, `default` or `catch` answers with a promise.
 *
 * What does not depend on each other runs at the same time.
 *
 * @example
 * await safeParseAsync(string().refine(async (name) => !(await taken(name)), 'Taken'), 'ada')
 */
export const safeParseAsync = async <T extends AnySchema>(
  schema: T,
  value: unknown,
  options?: ParseOptions,
): Promise<Result<T['_output'], T['_input']>> => {
  const { out, issues } = await runAsync(schema, value)
  return failed(out, issues)
    ? { success: false, error: withoutStack(settle(issues, options)) }
    : { success: true, data: out }
}

/**
 * Like `schema.parse`, for schemas with promises.
 *
 * @throws {ValidationError} (rejects) for a value that does not fit.
 * @example
 * await parseAsync(string().transform(async (id) => load(id)), '5')
 */
export const parseAsync = async <T extends AnySchema>(
  schema: T,
  value: unknown,
  options?: ParseOptions,
): Promise<T['_output']> => {
  const { out, issues } = await runAsync(schema, value)
  if (failed(out, issues)) throw new ValidationError(settle(issues, options))
  return out
}

const failed = (out: unknown, issues: readonly Issue[]): boolean => out === INVALID || issues.length > 0

/** A schema whose methods return promises. */
export interface AsyncSchema<Out, In = Out> {
  readonly parse: (value: unknown, options?: ParseOptions) => Promise<Out>
  readonly safeParse: (value: unknown, options?: ParseOptions) => Promise<Result<Out, In>>
  readonly '~standard': StandardSchema<In, Out>
}

/**
 * A schema with promises, in the form that validators take: its Standard Schema waits.
 *
 * @example
 * await ctx.validate(toAsync(signUp))
 */
export const toAsync = <T extends AnySchema>(schema: T): AsyncSchema<T['_output'], T['_input']> => ({
  parse: (value, options) => parseAsync(schema, value, options),
  safeParse: (value, options) => safeParseAsync(schema, value, options),
  '~standard': {
    version: 1,
    vendor: 'sluice',
    validate: async (value) => {
      const { data, error } = await safeParseAsync(schema, value)
      return error ?? { value: data }
    },
  },
})
