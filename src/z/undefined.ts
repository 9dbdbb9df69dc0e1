import type { Params } from '../internal/z/issue.ts'
import type { Schema } from '../internal/z/schema.ts'
import { simple } from '../internal/z/simple.ts'

/**
 * Accept `undefined`: `z.undefined()`. Reports `invalid_type`.
 *
 * @example
 * undefinedValue().parse(undefined) // undefined
 */
export const undefinedValue = (params?: Params): Schema<undefined> =>
  simple('undefined', params, (value) => value === undefined)
