import type { Params } from './issue.ts'
import type { Schema } from './schema.ts'
import { simple } from './simple.ts'

/**
 * Accept nothing. Reports `invalid_type`.
 *
 * @example
 * never().safeParse(5).success // false
 */
export const never = (params?: Params): Schema<never> => simple('never', params, () => false)
