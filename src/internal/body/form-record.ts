import { lastSegment } from './file-name.ts'
import { recordOf } from './record.ts'

/** One pair of a form. */
export type FormEntry = readonly [name: string, value: string | File]

/**
 * The fields of a form. An empty file input adds none, and the name of a file is only its last segment, never a path.
 */
export const formRecord = (entries: Iterable<FormEntry>): Record<string, string | File | (string | File)[]> =>
  recordOf([...entries].flatMap(toField))

const toField = ([name, value]: FormEntry): FormEntry[] => {
  if (typeof value === 'string') return [[name, value]]
  if (!value.name && !value.size) return []
  const fileName = lastSegment(value.name)
  return [[name, fileName === value.name ? value : new File([value], fileName, { type: value.type })]]
}
