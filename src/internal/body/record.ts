import { Bag } from '../object/bag.ts'

/** A record of pairs without a prototype; a name that repeats becomes a list, in order. */
export const recordOf = <T>(pairs: Iterable<readonly [string, T]>): Record<string, T | T[]> => {
  const record: Record<string, T | T[]> = new Bag()
  for (const [name, value] of pairs) {
    const known = record[name]
    if (known === undefined) record[name] = value
    else if (Array.isArray(known)) known.push(value)
    else record[name] = [known, value]
  }
  return record
}
