import type { Params } from '../internal/z/issue.ts'
import type { Schema } from '../internal/z/schema.ts'
import { simple } from '../internal/z/simple.ts'

/**
 * Accept `null`: `z.null()`. Reports `invalid_type`.
 *
 * @example
 * nullValue().parse(null) // null
 */
export const nullValue = (params?: Params): Schema<null> => simple('null', params, (value) => value === null)
