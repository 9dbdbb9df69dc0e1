import type { ValidationError } from '../schema/validation-error.ts'
import type { Core, Result } from './core.ts'
import { safeParseLater } from './parse-async.ts'
import { PROMISE } from './report.ts'
import type { StandardSchema } from './standard.ts'

/**
 * The synchronous parse is tried first, because it is much faster; a schema that met a promise is awaited from then on.
 */
export const validate = (
  schema: Core<unknown> & { waits?: boolean },
  value: unknown,
): ReturnType<StandardSchema['validate']> => {
  try {
    if (!schema.waits) return standardOf(schema.safeParse(value))
  } catch (error) {
    if (!(error instanceof Error && error.message === PROMISE)) throw error
    schema.waits = true
  }
  return safeParseLater(schema, value).then(standardOf)
}

const standardOf = ({ data, error }: Result<unknown>): { value: unknown } | ValidationError => error ?? { value: data }
