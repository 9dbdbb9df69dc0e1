import type { Params } from '../internal/z/issue.ts'
import type { Schema } from '../internal/z/schema.ts'
import { simple } from '../internal/z/simple.ts'

/**
 * Accept `true` and `false`. Reports `invalid_type`.
 *
 * @example
 * boolean().parse(true) // true
 */
export const boolean = (params?: Params): Schema<boolean> => simple('boolean', params)
