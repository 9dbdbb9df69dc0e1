import type { AnyCore } from '../internal/z/definition.ts'
import type { ErrorParams } from '../internal/z/issue.ts'
import type { Whole } from './all/more.ts'
import { record } from './all/record.ts'
import type { RecordSchema } from './record.ts'

/**
 * Accept objects whose keys and values fit, of whose known keys some may be missing: `record(key, value)` of zod 3.
 *
 * @example
 * partialRecord(oneOf(['a', 'b']), number()).parse({ a: 1 }) // { a: 1 }
 */
export const partialRecord = <Key extends AnyCore, Value extends AnyCore>(
  key: Key,
  value: Value,
  params?: ErrorParams,
): Whole<RecordSchema<Key, Value>> => record(key, value, params)
