import type { Context } from '../context.ts'
import { refusal } from './answer.ts'
import { Bag } from './bag.ts'

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

/** Media types that {@link readInput} reads. */
const JSON_TYPE = /^application\/([\w.+-]+\+)?json *(;|$)/i
const FORM_TYPE = /^(application\/x-www-form-urlencoded|multipart\/form-data) *(;|$)/i

/**
 * The body of a request as the value that a schema looks at: JSON, or the fields of a form.
 *
 * @throws an error answered with 415 for any other content type, and with 400 for a body that is not what its type says.
 */
export const readInput = (ctx: Context): Promise<unknown> => {
  const type = ctx.header('content-type') ?? ''
  if (JSON_TYPE.test(type)) return ctx.json()
  if (FORM_TYPE.test(type)) return ctx.formData().then((form) => recordOf(form as unknown as Iterable<[string, File]>))
  throw refusal(415, 'Unsupported Media Type')
}
