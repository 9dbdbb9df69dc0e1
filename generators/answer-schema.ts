import type { Field } from './fields.ts'

/** Source text of the schema for a field in a response: in JSON, a date is a string. */
export const answerSchema = ({ type, kind, schema, optional }: Field): string => {
  const whole = type === 'integer' || type === 'references' ? 'z.number().int()' : ANSWERS[kind]
  const answer = type === 'enum' || kind === 'json' ? schema.replace(/\.nullish\(\)$/, '') : whole
  return optional ? `${answer}.nullable()` : answer
}

const ANSWERS: Readonly<Record<Field['kind'], string>> = {
  string: 'z.string()',
  email: 'z.string()',
  number: 'z.number()',
  boolean: 'z.boolean()',
  date: 'z.string().datetime()',
  json: 'z.unknown()',
}
