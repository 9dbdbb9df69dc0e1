import type { Params } from './issue.ts'
import type { Schema } from './schema.ts'
import { simple } from './simple.ts'

/**
 * Accept everything; the type is `unknown`.
 *
 * @example
 * unknown().parse(5) // 5
 */
export const unknown = (params?: Params): Schema<unknown> => simple('unknown', params, () => true)
