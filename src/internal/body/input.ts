import { rereadable } from '#runtime/core'
import { refusal } from '../error/refusal.ts'
import type { Awaitable } from '../promise/awaitable.ts'
import { withLists } from '../schema/with-lists.ts'
import { type FormEntry, formRecord } from './form-record.ts'
import { jsonOf } from './json.ts'
import { bareRequest } from './read-body.ts'

/** Content types of input, by the name that the option `type` has for them. */
export const INPUT_TYPES: Readonly<Record<'json' | 'form', RegExp>> = {
  json: /^application\/([\w.+-]+\+)?json *(;|$)/i,
  form: /^(application\/x-www-form-urlencoded|multipart\/form-data) *(;|$)/i,
}

interface InputContext {
  readonly request: Request
  header(name: string): string | null
}

/** The body as input for a schema. It is converted without a further promise, which would cost time. */
export const inputAs = <T>(
  ctx: InputContext,
  convert: (input: unknown) => Awaitable<T>,
  schema?: unknown,
): Awaitable<T> => {
  const type = ctx.header('content-type') ?? ''
  if (INPUT_TYPES.json.test(type)) return jsonOf(bareRequest(ctx), convert)
  if (!INPUT_TYPES.form.test(type)) return Promise.reject(refusal(415, 'Unsupported Media Type'))
  return rereadable(ctx.request)
    .formData()
    .then((form) => {
      const fields = formRecord(form as Iterable<FormEntry>)
      return convert(schema ? withLists(schema, fields) : fields)
    })
}

/** The body for a schema: the value of a body parser, else the body as it is read here. */
export const inputFor = <T>(
  ctx: InputContext & { readonly state: { readonly body?: unknown } },
  schema: unknown,
  convert: (input: unknown) => Awaitable<T>,
): Awaitable<T> => {
  const { body } = ctx.state
  if (body === undefined) return inputAs(ctx, convert, schema)
  const isForm = typeof body === 'object' && body && INPUT_TYPES.form.test(ctx.header('content-type') ?? '')
  return convert(isForm ? withLists(schema, body as Record<string, unknown>) : body)
}
