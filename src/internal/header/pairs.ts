import type { FieldList } from './fields.ts'

/** The fields of a list as name–value pairs. */
export const toPairs = (list: FieldList | undefined): [string, string][] | undefined =>
  list?.flatMap((name, index) => (index % 2 ? [] : [[name, list[index + 1]!] as [string, string]]))
