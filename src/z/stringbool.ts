import type { Definition, Make } from '../internal/z/definition.ts'
import { list } from '../internal/z/enum-run.ts'
import type { Params } from '../internal/z/issue.ts'
import { report, wrongType } from '../internal/z/report.ts'
import { Schema } from '../internal/z/schema.ts'

/** Options of {@link stringbool}. */
export interface StringBoolOptions extends Params {
  /** Words for `true`. @default ['true', '1', 'yes', 'on', 'y', 'enabled'] */
  readonly truthy?: readonly string[]
  /** Words for `false`. @default ['false', '0', 'no', 'off', 'n', 'disabled'] */
  readonly falsy?: readonly string[]
  /** Whether upper and lower case differ. @default 'insensitive' */
  readonly case?: 'sensitive' | 'insensitive'
}

const TRUTHY = ['true', '1', 'yes', 'on', 'y', 'enabled']
const FALSY = ['false', '0', 'no', 'off', 'n', 'disabled']

const makeStringBool: Make =
  ({ words, sensitive, params }) =>
  (value, issues) => {
    if (typeof value !== 'string') return wrongType(issues, value, 'string', params)
    const parsed = words.get(sensitive ? value : value.toLowerCase())
    if (parsed !== undefined) return parsed
    const options: string[] = [...words.keys()]
    const text = `Invalid enum value. Expected ${list(options)}, received '${value}'`
    return report(issues, value, { code: 'invalid_enum_value', received: value, options }, text, params)
  }

/**
 * Accept words for yes and no, and return a boolean: for environment variables and query strings. Reports
 * `invalid_type` and `invalid_enum_value`.
 *
 * @example
 * stringbool().parse('Yes') // true
 */
export const stringbool = (options: StringBoolOptions = {}): Schema<boolean, string> => {
  const { truthy = TRUTHY, falsy = FALSY, case: capitals = 'insensitive', ...params } = options
  const sensitive = capitals === 'sensitive'
  const key = (word: string): string => (sensitive ? word : word.toLowerCase())
  const words = new Map([
    ...truthy.map((word) => [key(word), true] as const),
    ...falsy.map((word) => [key(word), false] as const),
  ])
  return new Schema<boolean, string>({ type: 'stringbool', words, sensitive, params } as Definition, makeStringBool)
}
