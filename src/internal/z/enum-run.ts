import type { Make } from './definition.ts'
import { report, typeName, wrongType } from './report.ts'

/** `'a' | 'b'`, for messages. */
export const list = (values: readonly unknown[]): string =>
  values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value))).join(' | ')

/** A value of a wrong type has another issue than a value of the right type that is not in the list. */
export const makeEnum: Make = ({ values, types = ['string'], params }) => {
  const allowed = new Set(values)
  const options = [...values]
  return (received, issues) => {
    if (allowed.has(received)) return received
    const expected = list(values)
    if (!types.includes(typeName(received))) return wrongType(issues, received, expected, params)
    const text = `Invalid enum value. Expected ${expected}, received '${String(received)}'`
    const issue = { code: 'invalid_enum_value', received: received as string, options } as const
    return report(issues, received, issue, text, params)
  }
}
