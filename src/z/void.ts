import type { Params } from '../internal/z/issue.ts'
import type { Schema } from '../internal/z/schema.ts'
import { simple } from '../internal/z/simple.ts'

/**
 * Accept `undefined`, as the result of a function that returns nothing: `z.void()`. Reports `invalid_type`.
 *
 * @example
 * voidValue().parse(undefined) // undefined
 */
export const voidValue = (params?: Params): Schema<void> => simple('void', params, (value) => value === undefined)
