import { Bag } from './bag.ts'
import { HttpError } from './http-error.ts'
import { parseMediaType } from './media-type.ts'

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

/** Whether a media type is JSON: `application/json`, or anything `+json`. */
export const isJson = (type: string): boolean => type === 'application/json' || type.endsWith('+json')

/**
 * The body of a request as the value that a schema looks at: JSON, or the fields of a form.
 *
 * @throws {HttpError} 415 for any other content type, 400 for a body that is not what its type says.
 */
export const readInput = async (request: Request): Promise<unknown> => {
  const type = parseMediaType(request.headers.get('content-type'))?.value ?? ''
  if (isJson(type)) return request.json()
  if (type !== 'application/x-www-form-urlencoded' && type !== 'multipart/form-data') throw new HttpError(415)
  try {
    return recordOf((await request.formData()) as Iterable<[string, FormDataEntryValue]>)
  } catch (cause) {
    throw cause instanceof HttpError ? cause : new HttpError(400, 'Invalid form', { cause })
  }
}
