import type { AnyCore } from '../../internal/z/definition.ts'
import { isSchema } from '../../internal/z/is-schema.ts'
import type { ErrorParams } from '../../internal/z/issue.ts'
import { type RecordSchema, record as smallRecord } from '../record.ts'
import { string, type Zod3String } from './string.ts'
import type { Zod3Schema } from './zod3-methods.ts'
import { toZod3 } from './zod3-schema.ts'

/**
 * Accept objects with any number of keys, whose values one schema accepts: `record(value)`, or `record(key, value)`.
 */
export function record<Value extends AnyCore>(
  value: Value,
  params?: ErrorParams,
): Zod3Schema<RecordSchema<Zod3Schema<Zod3String>, Value>>
export function record<Key extends AnyCore, Value extends AnyCore>(
  key: Key,
  value: Value,
  params?: ErrorParams,
): Zod3Schema<RecordSchema<Key, Value>>
export function record(
  first: AnyCore,
  second?: AnyCore | ErrorParams,
  params?: ErrorParams,
): Zod3Schema<RecordSchema<AnyCore, AnyCore>> {
  return isSchema(second)
    ? toZod3(smallRecord(first, second, params))
    : toZod3(smallRecord(string(), first, second as ErrorParams | undefined))
}
