import { type Issue, withoutStack } from '../validation-error.ts'
import type { Result } from './core.ts'
import type { AnyCore } from './definition.ts'
import { settle, useMaps } from './error-map.ts'
import type { ParseOptions } from './issue.ts'
import { INVALID } from './report.ts'
import { runAsync } from './run-async.ts'
import { ZodError } from './zod-error.ts'

/** Like `schema.safeParse`, and waits for promises of user code. */
export const safely = async <T extends AnyCore>(
  schema: T,
  value: unknown,
  options?: ParseOptions,
): Promise<Result<T['_output'], T['_input']>> => {
  if (options?.errorMap) useMaps()
  const { out, issues } = await runAsync(schema, value)
  return failed(out, issues)
    ? { success: false, error: withoutStack(settle(issues, options), ZodError) }
    : { success: true, data: out }
}

/** Like `schema.parse`, and waits for promises of user code. */
export const strictly = async <T extends AnyCore>(
  schema: T,
  value: unknown,
  options?: ParseOptions,
): Promise<T['_output']> => {
  if (options?.errorMap) useMaps()
  const { out, issues } = await runAsync(schema, value)
  if (failed(out, issues)) throw new ZodError(settle(issues, options))
  return out
}

const failed = (out: unknown, issues: readonly Issue[]): boolean => out === INVALID || issues.length > 0
