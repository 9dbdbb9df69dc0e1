import { bound, check } from '../checks.ts'
import type { Check } from '../definition.ts'
import { multipleOf } from '../multiple.ts'
import { highest, lowest, whole } from '../number-checks.ts'
import { type Node, type Place, refuse, shown } from './document.ts'
import { numberOf, wholeOf } from './keywords.ts'

/** `minLength` and `maxLength`, which count characters and not halves of them (JSON Schema Validation §6.3). */
export const lengthChecks = (node: Node, place: Place): readonly Check[] => {
  const least = wholeOf(node, 'minLength', place)
  const most = wholeOf(node, 'maxLength', place)
  const text = (side: string, limit: number): string => `String must contain ${side} ${limit} character(s)`
  const checks: Check[] = []
  if (least !== undefined) checks.push(counted('min', least, (value) => reaches(value, least), text('at least', least)))
  if (most !== undefined) checks.push(counted('max', most, (value) => !reaches(value, most + 1), text('at most', most)))
  return checks
}

/** A bound that `length` does not tell: the mark keeps the compiler from writing it as one. */
const counted = (kind: 'min' | 'max', limit: number, holds: (value: string) => boolean, text: string): Check => ({
  ...bound(kind, 'string', limit, holds, text),
  counts: 'characters',
})

/** Has the text so many characters. A character has one code unit or two, so most texts need not be counted. */
const reaches = (value: string, count: number): boolean =>
  value.length >= count && (value.length >= count * 2 || [...value].length >= count)

/** The bounds of a number. Draft 4 and OpenAPI 3.0 say that a bound is exclusive with a flag beside it. */
export const numberChecks = (node: Node, isInteger: boolean, place: Place): readonly Check[] => {
  const { exclusiveMinimum: above, exclusiveMaximum: under } = node
  const one = (keyword: string, make: typeof lowest, inclusive: boolean): Check[] => {
    const limit = numberOf(node, keyword, place)
    return limit === undefined ? [] : [make(limit, undefined, inclusive)]
  }
  return [
    ...(isInteger ? [whole()] : []),
    ...one('minimum', lowest, above !== true),
    ...one('maximum', highest, under !== true),
    ...(typeof above === 'boolean' ? [] : one('exclusiveMinimum', lowest, false)),
    ...(typeof under === 'boolean' ? [] : one('exclusiveMaximum', highest, false)),
  ]
}

/** `multipleOf`, which JSON Schema asks to be above 0. */
export const stepChecks = (node: Node, place: Place): readonly Check[] => {
  const step = numberOf(node, 'multipleOf', place)
  if (step === undefined) return []
  if (step <= 0) refuse(place, `multipleOf: expected a number above 0, got ${shown(step)}`)
  const issue = { code: 'not_multiple_of', multipleOf: step }
  return [check('multipleOf', multipleOf(step), issue, `Number must be a multiple of ${step}`, undefined, step)]
}
