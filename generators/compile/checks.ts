import type { Check } from './schema.ts'

/** A value as source text, or undefined for a value without one, such as a symbol or an object. */
export const literal = (value: unknown): string | undefined => {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'bigint') return `${value}n`
  if (Object.is(value, -0)) return '-0'
  return value === null || /^(number|boolean|undefined)$/.test(typeof value) ? String(value) : undefined
}

/** The expression that the bounds of a type compare. */
const MEASURE: Readonly<Record<string, (x: string) => string>> = {
  string: (x) => `${x}.length`,
  array: (x) => `${x}.length`,
  number: (x) => x,
  bigint: (x) => x,
  date: (x) => `${x}.getTime()`,
}

/**
 * The condition of a check. A bound, which is known from its issue, becomes a comparison. Other checks are called, by
 * the name that `refer` returns.
 */
export const condition = ({ issue, value }: Check, x: string, refer: (part: string) => string): string => {
  const { code, minimum, maximum, type, inclusive } = issue ?? {}
  const measure = MEASURE[String(type)]?.(x)
  const limit = literal(code === 'too_small' ? minimum : maximum)
  if (measure && limit && code === 'too_small') return `${measure} ${inclusive ? '>=' : '>'} ${limit}`
  if (measure && limit && code === 'too_big') return `${measure} ${inclusive ? '<=' : '<'} ${limit}`
  if (code === 'invalid_type' && issue?.expected === 'integer') return `Number.isInteger(${x})`
  if (code === 'not_finite') return `Number.isFinite(${x})`
  const holds = `${refer('holds')}(${x})`
  // A very long text can overflow the stack of the regular expression: the check handles that.
  return value instanceof RegExp && !value.global && !value.sticky
    ? `(${x}.length > 9999 ? ${holds} : ${refer('value')}.test(${x}))`
    : holds
}
