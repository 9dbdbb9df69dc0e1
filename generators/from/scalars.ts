import { literal } from './code.ts'
import type { Part } from './document.ts'
import { isLinear } from './is-linear.ts'
import type { SchemaContext } from './schema-context.ts'

/** Schemas of strings by the format of OpenAPI. */
const FORMATS: Readonly<Record<string, string>> = {
  email: 'z.string().email()',
  uuid: 'z.string().uuid()',
  uri: 'z.string().url()',
  url: 'z.string().url()',
  'date-time': 'z.iso.datetime({ offset: true })',
  date: 'z.iso.date()',
  ipv4: 'z.ipv4()',
  ipv6: 'z.ipv6()',
}

/** Formats that need no check. */
const PLAIN = /^(password|binary|byte|int32|int64|float|double|decimal)$/

/** The code of a schema of strings. A file of a form is `format: binary`, or `contentMediaType` without an encoding. */
export const stringCode = (schema: Part, { asText, source, where }: SchemaContext): string => {
  const { format, pattern, minLength, maxLength, contentMediaType, contentEncoding } = schema
  if (asText && (format === 'binary' || (contentMediaType !== undefined && contentEncoding === undefined)))
    return 'z.file()'
  const isKnown = typeof format === 'string' && Object.hasOwn(FORMATS, format)
  if (typeof format === 'string' && !isKnown && !PLAIN.test(format))
    source.notes.push({ where, what: `the format ${literal(format)} is not checked` })
  return [
    isKnown ? FORMATS[format] : 'z.string()',
    Number.isInteger(minLength) && Number(minLength) > 0 ? `.min(${minLength})` : '',
    Number.isInteger(maxLength) ? `.max(${maxLength})` : '',
    typeof pattern === 'string' ? patternCode(pattern, source.notes, where) : '',
  ].join('')
}

/** The flags with which a pattern of a document is used, or the reason why it is not. */
export const flagsOf = (pattern: string): { readonly flags: string } | { readonly reason: string } => {
  // Patterns of JSON Schema have the flag for Unicode; those that only work without it are tried as well
  const flags = ['u', ''].find((candidate) => isPattern(pattern, candidate))
  if (flags === undefined) return { reason: 'is not one of JavaScript' }
  return isLinear(pattern) ? { flags } : { reason: 'is not proved to take linear time' }
}

const isPattern = (pattern: string, flags: string): boolean => {
  try {
    return new RegExp(pattern, flags) !== undefined
  } catch {
    return false
  }
}

const patternCode = (pattern: string, notes: SchemaContext['source']['notes'], where: string): string => {
  const flagsOrReason = flagsOf(pattern)
  if ('flags' in flagsOrReason)
    return `.regex(new RegExp(${literal(pattern)}${flagsOrReason.flags && `, '${flagsOrReason.flags}'`}))`
  notes.push({ where, what: `the pattern ${literal(pattern)} ${flagsOrReason.reason}, and is not checked` })
  return ''
}

/** The code of a schema of numbers. In OpenAPI 3.0, `exclusiveMinimum` is a flag. */
export const numberCode = (type: string, schema: Part, { asText }: SchemaContext): string => {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  const checks: [string, unknown][] = [
    [exclusiveMinimum === true ? 'gt' : 'min', minimum],
    [exclusiveMaximum === true ? 'lt' : 'max', maximum],
    ['gt', exclusiveMinimum],
    ['lt', exclusiveMaximum],
    ['multipleOf', multipleOf],
  ]
  const code = [
    'z.number()',
    type === 'integer' ? '.int()' : '',
    ...checks.map(([name, limit]) => (typeof limit === 'number' ? `.${name}(${limit})` : '')),
    // A text may have more digits than a number can hold
    asText ? (type === 'integer' ? `.refine(Number.isSafeInteger, 'Not a safe integer')` : '.finite()') : '',
  ].join('')
  return asText ? `z.preprocess(toNumber, ${code})` : code
}
