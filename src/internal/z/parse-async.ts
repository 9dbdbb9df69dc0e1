import { withoutStack } from '../schema/validation-error.ts'
import type { Result } from './core.ts'
import type { AnyCore } from './definition.ts'
import { applyErrorMaps, useMaps } from './error-map.ts'
import type { ParseOptions } from './issue.ts'
import { INVALID } from './report.ts'
import { runAsync } from './run-async.ts'
import { ZodError } from './zod-error.ts'

/** Like `schema.safeParse`, and waits for promises of user code. */
export const safeParseLater = async <T extends AnyCore>(
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

/** Like `schema.parse`, and waits for promises of user code. */
export const parseLater = async <T extends AnyCore>(
  schema: T,
  value: unknown,
  options?: ParseOptions,
): Promise<T['_output']> => {
  const { success, data, error } = await safeParseLater(schema, value, options)
  if (success) return data
  throw new ZodError(error.issues)
}
