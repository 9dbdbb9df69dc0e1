import type { ErrorParams } from '../internal/z/issue.ts'
import type { Schema } from '../internal/z/schema.ts'
import { array, lazy, union } from './all/holders.ts'
import { boolean, nullValue } from './all/leaves.ts'
import type { Whole } from './all/more.ts'
import { number } from './all/number.ts'
import { record } from './all/record.ts'
import { string } from './all/string.ts'

/** What JSON can say. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

/**
 * Accept what JSON can say, however deep (to 500 levels): texts, finite numbers, booleans, `null`, arrays and objects.
 *
 * @example
 * json().safeParse({ a: [1, 'x', null, undefined] }).success // false
 */
export const json = (params?: ErrorParams): Whole<Schema<Json>> => {
  const value: Whole<Schema<Json>> = lazy(() =>
    union([string(), number().finite(), boolean(), nullValue(), array(value), record(string(), value)], params),
  )
  return value
}
