import type { Params } from './issue.ts'
import type { Schema } from './schema.ts'
import { simple } from './simple.ts'

/**
 * Accept `undefined`: `z.undefined()`. Reports `invalid_type`.
 *
 * @example
 * undefinedValue().parse(undefined) // undefined
 */
export const undefinedValue = (params?: Params): Schema<undefined> =>
  simple('undefined', params, (value) => value === undefined)
