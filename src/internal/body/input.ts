import { rereadable, textOf } from '#runtime/request'
import type { Awaitable } from '../awaitable.ts'
import { bareRequest } from '../context/bare-request.ts'
import { refusal } from '../error/answer.ts'
import { parseJson } from './parse-json.ts'
import { recordOf } from './record.ts'

const JSON_TYPE = /^application\/([\w.+-]+\+)?json *(;|$)/i
const FORM_TYPE = /^(application\/x-www-form-urlencoded|multipart\/form-data) *(;|$)/i

/** The part of a context that is needed to read its input. */
interface Source {
  readonly request: Request
  header(name: string): string | null
}

/**
 * The body as input for a schema: JSON, or the fields of a form. It is converted in the turn in which it arrives: each
 * further promise costs a request time.
 */
export const inputAs = <T>(ctx: Source, convert: (input: unknown) => Awaitable<T>): Promise<T> => {
  const type = ctx.header('content-type') ?? ''
  if (JSON_TYPE.test(type)) return textOf(bareRequest(ctx), (text) => convert(parseJson(text))) as Promise<T>
  if (!FORM_TYPE.test(type)) return Promise.reject(refusal(415, 'Unsupported Media Type'))
  return rereadable(ctx.request)
    .formData()
    .then((form) => convert(recordOf(form as Iterable<[string, File]>)))
}
