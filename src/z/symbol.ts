import type { Params } from './issue.ts'
import type { Schema } from './schema.ts'
import { simple } from './simple.ts'

/**
 * Accept symbols. Reports `invalid_type`.
 *
 * @example
 * symbol().safeParse('x').success // false
 */
export const symbol = (params?: Params): Schema<symbol> => simple('symbol', params)
