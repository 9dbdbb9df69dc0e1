import { NullRecord } from '../object/null-record.ts'

export type FormEntry = readonly [name: string, value: string | File]

/** A record of pairs without a prototype; a name that repeats becomes a list, in order. */
export const recordOf = <T>(pairs: Iterable<readonly [string, T]>): Record<string, T | T[]> => {
  const record: Record<string, T | T[]> = new NullRecord()
  for (const [name, value] of pairs) {
    const previous = record[name]
    if (previous === undefined) record[name] = value
    else if (Array.isArray(previous)) previous.push(value)
    else record[name] = [previous, value]
  }
  return record
}

/** The fields of a form without empty file inputs. The name of a file is only its last segment. */
export const formRecord = (entries: Iterable<FormEntry>): Record<string, string | File | (string | File)[]> =>
  recordOf([...entries].flatMap(toField))

const toField = ([name, value]: FormEntry): FormEntry[] => {
  if (typeof value === 'string') return [[name, value]]
  if (!value.name && !value.size) return []
  const fileName = lastSegment(value.name)
  return [[name, fileName === value.name ? value : new File([value], fileName, { type: value.type })]]
}

/** The last segment of a file name that a client sent, without control characters: it is never a path. */
export const lastSegment = (path: string): string => {
  const name = path.replace(/[\0-\x1f\x7f]/g, '').replace(/^.*[/\\]/s, '')
  return name === '.' || name === '..' ? '' : name
}
