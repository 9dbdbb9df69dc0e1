import type { Issue, SizeIssue } from '../errors/validation-error.ts'
import { list } from '../internal/z/enum-run.ts'
import { getGlobalMap, setGlobalMap } from '../internal/z/error-map.ts'
import type { ErrorMap } from '../internal/z/issue.ts'

/**
 * Set the map for the messages of every schema of `sluice/z`; `undefined` returns to the built-in messages.
 *
 * @example
 * setErrorMap((issue, { defaultError }) => ({ message: issue.code === 'invalid_type' ? 'Wrong type' : defaultError }))
 */
export const setErrorMap = (map?: ErrorMap): void => setGlobalMap(map)

/**
 * The map that writes messages now: the one of `setErrorMap`, else the built-in one.
 *
 * @example
 * getErrorMap()({ code: 'not_finite', path: [], message: '' }, { data: 1, defaultError: '' }).message
 */
export const getErrorMap = (): ErrorMap => getGlobalMap() ?? defaultErrorMap

/**
 * The built-in messages as an error map, for maps that fall back to it.
 *
 * @example
 * defaultErrorMap(issue, { data: undefined, defaultError: '' }).message // 'Required'
 */
export const defaultErrorMap: ErrorMap = (issue, { defaultError }) => ({ message: textOf(issue) ?? defaultError })

const textOf = (issue: Issue): string | undefined => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.received === 'undefined' ? 'Required' : `Expected ${issue.expected}, received ${issue.received}`
    case 'invalid_literal':
      return `Invalid literal value, expected ${JSON.stringify(issue.expected, asText)}`
    case 'unrecognized_keys':
      return `Unrecognized key(s) in object: ${issue.keys.map((key) => `'${key}'`).join(', ')}`
    case 'invalid_union_discriminator':
      return `Invalid discriminator value. Expected ${list(issue.options)}`
    case 'invalid_enum_value':
      return `Invalid enum value. Expected ${list(issue.options)}, received '${issue.received}'`
    case 'invalid_string':
      return formatText(issue.validation)
    case 'too_small':
    case 'too_big':
      return sizeText(issue)
    case 'not_multiple_of':
      return `Number must be a multiple of ${issue.multipleOf}`
    default:
      return TEXTS[issue.code]
  }
}

const asText = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}` : value)

const TEXTS: { readonly [code: string]: string | undefined } = {
  custom: 'Invalid input',
  invalid_union: 'Invalid input',
  invalid_arguments: 'Invalid function arguments',
  invalid_return_type: 'Invalid function return type',
  invalid_date: 'Invalid date',
  invalid_intersection_types: 'Intersection results could not be merged',
  not_finite: 'Number must be finite',
}

const formatText = (validation: (Issue & { code: 'invalid_string' })['validation']): string => {
  if (typeof validation === 'string') return validation === 'regex' ? 'Invalid' : `Invalid ${validation}`
  if ('startsWith' in validation) return `Invalid input: must start with "${validation.startsWith}"`
  if ('endsWith' in validation) return `Invalid input: must end with "${validation.endsWith}"`
  const { includes, position } = validation
  const where = position === undefined ? '' : ` at one or more positions greater than or equal to ${position}`
  return `Invalid input: must include "${includes}"${where}`
}

const sizeText = (issue: SizeIssue): string => {
  const least = issue.code === 'too_small'
  const limit = least ? issue.minimum : issue.maximum
  const orEqual = issue.inclusive ? 'or equal to ' : ''
  const sides = least ? 'at least' : 'at most'
  switch (issue.type) {
    case 'string':
      return `String must contain ${issue.exact ? 'exactly' : sides} ${limit} character(s)`
    case 'array':
      return `Array must contain ${issue.exact ? 'exactly' : sides} ${limit} element(s)`
    case 'number':
      return `Number must be ${least ? 'greater' : 'less'} than ${orEqual}${limit}`
    case 'bigint':
      return `${least ? 'Number must be greater' : 'BigInt must be less'} than ${orEqual}${limit}`
    case 'date':
      return `Date must be ${least ? 'greater' : 'smaller'} than ${orEqual}${new Date(Number(limit))}`
    default:
      return 'Invalid input'
  }
}
