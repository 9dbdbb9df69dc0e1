import type { Params } from './issue.ts'
import type { Schema } from './schema.ts'
import { simple } from './simple.ts'

/**
 * Accept `null`: `z.null()`. Reports `invalid_type`.
 *
 * @example
 * nullValue().parse(null) // null
 */
export const nullValue = (params?: Params): Schema<null> => simple('null', params, (value) => value === null)
