import type { FieldList } from './fields.ts'

/** A field list with names in lower case (RFC 9110 §5.1): the list itself if they are. */
export const foldNames = (list: FieldList): FieldList => {
  for (let index = 0; index < list.length; index += 2) if (/[A-Z]/.test(list[index]!)) return list.map(foldName)
  return list
}

const foldName = (text: string, index: number): string => (index % 2 ? text : text.toLowerCase())
