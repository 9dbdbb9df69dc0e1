import { literal } from './code.ts'
import type { Part } from './document.ts'
import type { SchemaContext } from './schema.ts'

/** Checks of `z.string()` by the format of OpenAPI. */
const FORMATS: Readonly<Record<string, string>> = {
  email: '.email()',
  uuid: '.uuid()',
  uri: '.url()',
  url: '.url()',
  'date-time': '.datetime({ offset: true })',
  date: '.date()',
  ipv4: `.ip({ version: 'v4' })`,
  ipv6: `.ip({ version: 'v6' })`,
}

/** Formats that say something about a value that no check is needed for. */
const PLAIN = /^(password|binary|byte|int32|int64|float|double|decimal)$/

/** The code of a schema of strings. A file of a form is `format: binary`, or `contentMediaType` without an encoding. */
export const stringCode = (schema: Part, { asText, source, where }: SchemaContext): string => {
  const { format, pattern, minLength, maxLength, contentMediaType, contentEncoding } = schema
  if (asText && (format === 'binary' || (contentMediaType !== undefined && contentEncoding === undefined)))
    return 'z.file()'
  const known = typeof format === 'string' && Object.hasOwn(FORMATS, format)
  if (typeof format === 'string' && !known && !PLAIN.test(format))
    source.notes.push({ where, what: `the format ${literal(format)} is not checked` })
  return [
    'z.string()',
    known ? FORMATS[format] : '',
    Number.isInteger(minLength) && Number(minLength) > 0 ? `.min(${minLength})` : '',
    Number.isInteger(maxLength) ? `.max(${maxLength})` : '',
    typeof pattern === 'string' ? patternCode(pattern, source.notes, where) : '',
  ].join('')
}

/** JSON Schema has patterns with Unicode; those that only work without it are tried as well. */
const patternCode = (pattern: string, notes: SchemaContext['source']['notes'], where: string): string => {
  for (const flags of ['u', ''])
    try {
      new RegExp(pattern, flags)
      return `.regex(new RegExp(${literal(pattern)}${flags && `, '${flags}'`}))`
    } catch {}
  notes.push({ where, what: `the pattern ${literal(pattern)} is not one of JavaScript, and is not checked` })
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
  return [
    asText ? 'z.coerce.number()' : 'z.number()',
    type === 'integer' ? '.int()' : '',
    ...checks.map(([name, limit]) => (typeof limit === 'number' ? `.${name}(${limit})` : '')),
  ].join('')
}
