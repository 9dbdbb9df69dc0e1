import type { ValidationError } from '../../errors/validation-error.ts'
import { withoutStack } from '../schema/without-stack.ts'
import type { Core, Result } from './core.ts'
import type { AnyCore } from './definition.ts'
import { applyErrorMaps, useMaps } from './error-map.ts'
import type { ParseOptions } from './issue.ts'
import { INVALID, PROMISE } from './report.ts'
import { runAsync } from './run-async.ts'
import type { StandardSchema } from './standard.ts'
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
  return safeParseLater(schema, value).then(toStandard)
}

const toStandard = ({ data, error }: Result<unknown>): { value: unknown } | ValidationError => error ?? { value: data }
