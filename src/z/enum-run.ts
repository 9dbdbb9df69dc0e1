import type { Make } from './definition.ts'
import { report, typeName, typeText } from './run.ts'

/** `'a' | 'b'`, as messages say it. */
export const list = (values: readonly unknown[]): string =>
  values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value))).join(' | ')

/** One of the values; another type than theirs is told apart from another value. */
export const makeEnum: Make = ({ values, types = ['string'], params }) => {
  const known = new Set(values)
  const options = [...values]
  return (received, issues) => {
    if (known.has(received)) return received
    const type = typeName(received)
    return types.includes(type)
      ? report(
          issues,
          received,
          { code: 'invalid_enum_value', received: received as string, options },
          wrongValue,
          params,
        )
      : report(issues, received, { code: 'invalid_type', expected: list(values), received: type }, typeText, params)
  }
}

const wrongValue = (issue: unknown): string => {
  const { options, received } = issue as { options: unknown[]; received: unknown }
  return `Invalid enum value. Expected ${list(options)}, received '${received}'`
}
