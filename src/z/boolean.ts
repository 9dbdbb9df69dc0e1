import type { Params } from './issue.ts'
import type { Schema } from './schema.ts'
import { simple } from './simple.ts'

/**
 * Accept `true` and `false`. Reports `invalid_type`.
 *
 * @example
 * boolean().parse(true) // true
 */
export const boolean = (params?: Params): Schema<boolean> => simple('boolean', params)
