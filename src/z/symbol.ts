import type { Params } from '../internal/z/issue.ts'
import type { Schema } from '../internal/z/schema.ts'
import { simple } from '../internal/z/simple.ts'

/**
 * Accept symbols. Reports `invalid_type`.
 *
 * @example
 * symbol().safeParse('x').success // false
 */
export const symbol = (params?: Params): Schema<symbol> => simple('symbol', params)
