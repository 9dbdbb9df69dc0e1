import type { Params } from '../internal/z/issue.ts'
import type { Schema } from '../internal/z/schema.ts'
import { simple } from '../internal/z/simple.ts'

/**
 * Accept `NaN` alone. Reports `invalid_type`.
 *
 * @example
 * nan().parse(Number.NaN) // NaN
 */
export const nan = (params?: Params): Schema<number> => simple('nan', params, (value) => Number.isNaN(value))
