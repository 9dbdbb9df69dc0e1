import type { Params } from '../internal/z/issue.ts'
import type { Schema } from '../internal/z/schema.ts'
import { simple } from '../internal/z/simple.ts'

/**
 * Accept everything; the type is `unknown`.
 *
 * @example
 * unknown().parse(5) // 5
 */
export const unknown = (params?: Params): Schema<unknown> => simple('unknown', params, () => true)
