import type { Params } from '../internal/z/issue.ts'
import type { Schema } from '../internal/z/schema.ts'
import { simple } from '../internal/z/simple.ts'

/**
 * Accept nothing. Reports `invalid_type`.
 *
 * @example
 * never().safeParse(5).success // false
 */
export const never = (params?: Params): Schema<never> => simple('never', params, () => false)
