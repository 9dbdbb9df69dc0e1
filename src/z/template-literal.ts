import { makeChecked } from '../internal/z/checks.ts'
import type { AnyCore, Definition } from '../internal/z/definition.ts'
import type { Params } from '../internal/z/issue.ts'
import { Schema } from '../internal/z/schema.ts'
import { textCheck } from '../internal/z/string-checks.ts'
import { type Literal, matchesWhole, stepOf, type TemplateStep } from '../internal/z/template-steps.ts'

/** A part of a template: a literal value, or a schema of values. */
export type TemplatePart = Literal | AnyCore

type TextOf<T> = T extends undefined ? '' : T extends Literal ? `${T}` : never

/** The type of a string with these parts. */
export type Template<Parts extends readonly TemplatePart[]> = Parts extends readonly [
  infer First,
  ...infer Rest extends readonly TemplatePart[],
]
  ? `${First extends AnyCore ? TextOf<First['_output']> : First extends Literal ? `${First}` : never}${Template<Rest>}`
  : ''

/**
 * Accept strings that consist of these parts in order: `${number}px`.
 *
 * A part may be a string, number, bigint, boolean, `null` or literal, an enum, a union of these, another template, and
 * each of them optional or nullable. Strings and numbers with checks try at most 1,000 pieces of a value. A value that
 * needs more is refused, and so is such a number of more than 40 characters. A string at the end of the template tries
 * only pieces that reach the end of the value.
 *
 * Reports `invalid_type` and `invalid_string`.
 *
 * @throws {TypeError} when made, if a part is a schema of another kind, or one that changes its value.
 * @example
 * templateLiteral([number(), oneOf(['px', 'rem'])]).safeParse('5px').success // true
 */
export const templateLiteral = <const Parts extends readonly TemplatePart[]>(
  parts: Parts,
  params?: Params,
): Schema<Template<Parts>> => {
  const steps: readonly TemplateStep[] = parts.map(stepOf)
  const check = textCheck('template_literal', (value) => matchesWhole(steps, value), undefined, 'Invalid input')
  const def = { type: 'string', checks: [check], template: steps, params }
  return new Schema<Template<Parts>>(def as Definition, makeChecked)
}
