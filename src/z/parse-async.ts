import { withoutStack } from '../internal/schema/without-stack.ts'
import type { Core, Result } from '../internal/z/core.ts'
import type { AnyCore } from '../internal/z/definition.ts'
import { applyErrorMaps, useMaps } from '../internal/z/error-map.ts'
import type { ParseOptions } from '../internal/z/issue.ts'
import { INVALID, PROMISE } from '../internal/z/report.ts'
import { runAsync } from '../internal/z/run-async.ts'
import type { StandardResult, StandardSchema } from '../internal/z/standard.ts'
import { ZodError } from '../internal/z/zod-error.ts'

/**
 * Like `schema.safeParse`, for schemas whose `refine`, `superRefine`, `transform`, `preprocess`, `default` or `catch`
 * returns a promise. Functions that do not depend on each other run at the same time.
 *
 * @example
 * await safeParseAsync(string().refine(async (name) => !(await taken(name)), 'Taken'), 'ada')
 */
export const safeParseAsync = async <T extends AnyCore>(
  schema: T,
  value: unknown,
  options?: ParseOptions,
): Promise<Result<T['_output'], T['_input']>> => {
  if (options?.errorMap) useMaps()
  const { out, issues } = await runAsync(schema, value)
  return issues.length || out === INVALID
    ? { success: false, error: withoutStack(applyErrorMaps(issues, options), ZodError) }
    : { success: true, data: out }
}

/**
 * Like `schema.parse`, for schemas with promises.
 *
 * @throws {ValidationError} (rejects) for a value that does not fit.
 * @example
 * await parseAsync(string().transform(async (id) => load(id)), '5')
 */
export const parseAsync = async <T extends AnyCore>(
  schema: T,
  value: unknown,
  options?: ParseOptions,
): Promise<T['_output']> => {
  const { success, data, error } = await safeParseAsync(schema, value, options)
  if (success) return data
  throw new ZodError(error.issues)
}

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
    validate: (value) => safeParseAsync(schema, value).then(toStandard),
  },
})

/** Tries the synchronous parse first, which is much faster, until a schema meets a promise. */
export const validate = (
  schema: Core & { waits?: boolean },
  value: unknown,
): ReturnType<StandardSchema['validate']> => {
  try {
    if (!schema.waits) return toStandard(schema.safeParse(value))
  } catch (error) {
    if (!(error instanceof Error && error.message === PROMISE)) throw error
    schema.waits = true
  }
  return safeParseAsync(schema, value).then(toStandard)
}

const toStandard = <Out>({ data, error }: Result<Out>): StandardResult<Out> => error ?? { value: data as Out }
