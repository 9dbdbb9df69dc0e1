import type { Result } from '../internal/z/core.ts'
import type { AnyCore } from '../internal/z/definition.ts'
import type { ParseOptions } from '../internal/z/issue.ts'
import { parseLater, safeParseLater } from '../internal/z/parse-async.ts'
import type { StandardSchema } from '../internal/z/standard.ts'

/**
 * Like `schema.safeParse`, for schemas whose `refine`, `superRefine`, `transform`, `preprocess`, `default` or `catch`
 * returns a promise. Functions that do not depend on each other run at the same time.
 *
 * @example
 * await safeParseAsync(string().refine(async (name) => !(await taken(name)), 'Taken'), 'ada')
 */
export const safeParseAsync = <T extends AnyCore>(
  schema: T,
  value: unknown,
  options?: ParseOptions,
): Promise<Result<T['_output'], T['_input']>> => safeParseLater(schema, value, options)

/**
 * Like `schema.parse`, for schemas with promises.
 *
 * @throws {ValidationError} (rejects) for a value that does not fit.
 * @example
 * await parseAsync(string().transform(async (id) => load(id)), '5')
 */
export const parseAsync = <T extends AnyCore>(
  schema: T,
  value: unknown,
  options?: ParseOptions,
): Promise<T['_output']> => parseLater(schema, value, options)

/** A schema whose methods return promises. */
export interface AsyncSchema<Out, In = Out> {
  readonly parse: (value: unknown, options?: ParseOptions) => Promise<Out>
  readonly safeParse: (value: unknown, options?: ParseOptions) => Promise<Result<Out, In>>
  readonly '~standard': StandardSchema<In, Out>
}

/**
 * A schema with promises for validators: its Standard Schema is asynchronous.
 *
 * @example
 * await ctx.validate(toAsync(signUp))
 */
export const toAsync = <T extends AnyCore>(schema: T): AsyncSchema<T['_output'], T['_input']> => ({
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
