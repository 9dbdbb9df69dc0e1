import type { AnyCore } from '../../internal/z/definition.ts'
import { isSchema } from '../../internal/z/is-schema.ts'
import type { ErrorParams } from '../../internal/z/issue.ts'
import { type RecordSchema, record as smallRecord } from '../record.ts'
import { string, type WholeString } from './string.ts'
import type { Whole } from './zod3-methods.ts'
import { whole } from './zod3-schema.ts'

/**
 * Accept objects with any number of keys, whose values one schema accepts: `record(value)`, or `record(key, value)`.
 *
 * @example
 * record(number()).parse({ a: 1, b: 2 }) // { a: 1, b: 2 }
 */
export function record<Value extends AnyCore>(
  value: Value,
  params?: ErrorParams,
): Whole<RecordSchema<Whole<WholeString>, Value>>
export function record<Key extends AnyCore, Value extends AnyCore>(
  key: Key,
  value: Value,
  params?: ErrorParams,
): Whole<RecordSchema<Key, Value>>
export function record(
  first: AnyCore,
  second?: AnyCore | ErrorParams,
  params?: ErrorParams,
): Whole<RecordSchema<AnyCore, AnyCore>> {
  return isSchema(second)
    ? whole(smallRecord(first, second, params))
    : whole(smallRecord(string(), first, second as ErrorParams | undefined))
}
