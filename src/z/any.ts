import type { Params } from '../internal/z/issue.ts'
import type { Schema } from '../internal/z/schema.ts'
import { simple } from '../internal/z/simple.ts'

/**
 * Accept everything; the type is `any`.
 *
 * @example
 * any().parse(5) // 5
 */
// any: the user asks for it.
export const any = (params?: Params): Schema<any> => simple('any', params, () => true)
