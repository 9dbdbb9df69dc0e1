import type { Issue, SizeIssue } from '../../errors/validation-error.ts'
import { useMaps } from '../../internal/z/error-map.ts'
import type { Locale } from '../../internal/z/issue.ts'

/** The facts of an issue about a size, for its message. */
export interface SizeWords {
  /** True for a lower bound, false for an upper one. */
  readonly least: boolean
  readonly exact: boolean
  readonly inclusive: boolean
  /** The bound, as text; dates in ISO 8601. */
  readonly limit: string
  /** The counted things: characters, items, or the value itself. */
  readonly unit: 'character' | 'item' | 'value'
}

/** The words of a language. Values in them are already quoted. */
export interface Words {
  readonly required: string
  readonly type: (expected: string, received: string) => string
  readonly literal: (expected: string) => string
  readonly option: (options: string, received: string) => string
  readonly keys: (keys: string) => string
  readonly invalid: string
  readonly date: string
  readonly merge: string
  readonly finite: string
  readonly multiple: (step: string) => string
  readonly format: (name: string) => string
  readonly pattern: string
  readonly starts: (text: string) => string
  readonly ends: (text: string) => string
  readonly includes: (text: string) => string
  readonly size: (words: SizeWords) => string
  /** Names of types; a missing one stays in English. */
  readonly types: { readonly [type: string]: string }
}

/**
 * An error map in a language: the form in which a locale is written. Schemas of `sluice/z` take no other map.
 *
 * @example
 * export const it: Locale = createLocale({ required: 'Obbligatorio', … })
 */
export const createLocale = (words: Words): Locale => {
  useMaps()
  return Object.assign((issue: Issue) => ({ message: messageIn(words, issue) }), { '~locale': true } as const)
}

const quoteValue = (value: unknown): string => (typeof value === 'string' ? `"${value}"` : String(value))

const join = (values: readonly unknown[]): string => values.map(quoteValue).join(', ')

const messageIn = (words: Words, issue: Issue): string => {
  const nameOf = (type: string): string => (Object.hasOwn(words.types, type) ? words.types[type]! : type)
  switch (issue.code) {
    case 'invalid_type':
      return issue.received === 'undefined'
        ? words.required
        : words.type(nameOf(issue.expected), nameOf(issue.received))
    case 'invalid_literal':
      return words.literal(quoteValue(issue.expected))
    case 'invalid_enum_value':
      // The quotes let a response leave out the value, which may be a password
      return words.option(join(issue.options), `'${String(issue.received)}'`)
    case 'invalid_union_discriminator':
      return words.literal(join(issue.options))
    case 'unrecognized_keys':
      return words.keys(join(issue.keys))
    case 'invalid_date':
      return words.date
    case 'invalid_intersection_types':
      return words.merge
    case 'not_finite':
      return words.finite
    case 'not_multiple_of':
      return words.multiple(String(issue.multipleOf))
    case 'invalid_string':
      return textOf(words, issue.validation)
    case 'too_small':
      return words.size(sizeOf(issue, issue.minimum))
    case 'too_big':
      return words.size(sizeOf(issue, issue.maximum))
    default:
      return words.invalid
  }
}

const textOf = (words: Words, validation: string | object): string => {
  if (validation === 'regex') return words.pattern
  if (typeof validation === 'string') return words.format(validation)
  const { startsWith, endsWith, includes } = validation as { [part: string]: string | undefined }
  if (startsWith !== undefined) return words.starts(quoteValue(startsWith))
  return endsWith === undefined ? words.includes(quoteValue(includes)) : words.ends(quoteValue(endsWith))
}

const sizeOf = (issue: SizeIssue, limit: number | bigint): SizeWords => ({
  least: issue.code === 'too_small',
  exact: issue.exact ?? false,
  inclusive: issue.inclusive,
  limit: issue.type === 'date' ? new Date(Number(limit)).toISOString() : String(limit),
  unit: issue.type === 'string' ? 'character' : issue.type === 'array' || issue.type === 'set' ? 'item' : 'value',
})
