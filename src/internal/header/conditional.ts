import { parseHttpDate } from './http-date.ts'

export interface Validators {
  /** Entity tag with its quotes, after `W/` if it is weak. */
  readonly etag?: string | null | undefined
  /** Modification time, in milliseconds since 1970. */
  readonly modified?: number | undefined
}

const TAG = /(?:W\/)?"[^"]*"/g

const withoutWeakness = (tag: string): string => tag.replace(/^W\//, '')

/** The tag in a list that is equal, else one that matches by weak comparison (RFC 9110 §8.8.3.2). */
export const matchingTag = (list: string, etag: string): string | undefined => {
  const tags = list.match(TAG)
  return tags?.find((tag) => tag === etag) ?? tags?.find((tag) => withoutWeakness(tag) === withoutWeakness(etag))
}

/** NaN for an invalid date, so that every comparison is false. */
const timeOf = (date: string | null): number => parseHttpDate(date) ?? Number.NaN

const inSeconds = (time: number): number => Math.floor(time / 1000) * 1000

/** The status that the preconditions of a GET or HEAD lead to, in the order of RFC 9110 §13.2.2. */
export const evaluate = (header: (name: string) => string | null, validators: Validators): 200 | 304 | 412 => {
  const { etag, modified = Number.NaN } = validators
  const match = header('if-match')
  if (match !== null) {
    // Strong comparison: a weak tag does not guarantee the same bytes
    const matches = match.trim() === '*' || (etag && !etag.startsWith('W/') && match.match(TAG)?.includes(etag))
    if (!matches) return 412
  } else if (inSeconds(modified) > timeOf(header('if-unmodified-since'))) return 412
  const noneMatch = header('if-none-match')
  if (noneMatch !== null) return noneMatch.trim() === '*' || (etag && matchingTag(noneMatch, etag)) ? 304 : 200
  return inSeconds(modified) <= timeOf(header('if-modified-since')) ? 304 : 200
}

/** Whether `If-Range` (RFC 9110 §13.1.5) matches this representation: the same date, or the same strong tag. */
export const isSameRange = (field: string | null, { etag, modified = Number.NaN }: Validators): boolean => {
  if (field === null) return true
  const text = field.trim()
  // A weak tag does not begin with a quote, and is not a date either
  if (text.startsWith('"')) return text === etag
  return timeOf(text) === inSeconds(modified)
}
