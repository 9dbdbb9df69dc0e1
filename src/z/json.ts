import type { Params } from '../internal/z/issue.ts'
import type { Schema } from '../internal/z/schema.ts'
import { array } from './array.ts'
import { lazy } from './lazy.ts'
import { number } from './number.ts'
import { boolean, null as nullValue } from './primitives.ts'
import { record } from './record.ts'
import { string } from './string.ts'
import { union } from './union.ts'

/** Any value of JSON. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

/**
 * Accept values of JSON, to a depth of 500 levels: strings, finite numbers, booleans, `null`, arrays and objects.
 *
 * @example
 * json().safeParse({ a: [1, 'x', null, undefined] }).success // false
 */
export const json = (params?: Params): Schema<Json> => {
  const value: Schema<Json> = lazy(() =>
    union([string(), number().finite(), boolean(), nullValue(), array(value), record(string(), value)], params),
  )
  return value
}
