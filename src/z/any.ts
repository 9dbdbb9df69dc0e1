import type { Params } from './issue.ts'
import type { Schema } from './schema.ts'
import { simple } from './simple.ts'

/**
 * Accept everything; the type is `any`.
 *
 * @example
 * any().parse(5) // 5
 */
// any: it is what the user asks for.
export const any = (params?: Params): Schema<any> => simple('any', params, () => true)
