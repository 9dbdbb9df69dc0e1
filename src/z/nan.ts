import type { Params } from './issue.ts'
import type { Schema } from './schema.ts'
import { simple } from './simple.ts'

/**
 * Accept `NaN` alone. Reports `invalid_type`.
 *
 * @example
 * nan().parse(Number.NaN) // NaN
 */
export const nan = (params?: Params): Schema<number> => simple('nan', params, (value) => Number.isNaN(value))
