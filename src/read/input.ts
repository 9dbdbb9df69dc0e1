import type { Context } from '../context.ts'
import { handled } from '../internal/awaitable.ts'
import { recordOf } from '../internal/body/record.ts'
import { refusal } from '../internal/error/answer.ts'
import { readForm } from './form.ts'
import { readJson } from './json.ts'

const JSON_TYPE = /^application\/([\w.+-]+\+)?json *(;|$)/i
const FORM_TYPE = /^(application\/x-www-form-urlencoded|multipart\/form-data) *(;|$)/i

/**
 * The body as input for a schema: JSON, or the fields of a form, depending on the `Content-Type`.
 *
 * @throws an error that becomes a 415 for any other content type, and a 400 for a body that does not match its type.
 * @example
 * route('POST', '/users', async (ctx) => json(User.parse(await readInput(ctx)), 201))
 */
export const readInput = (ctx: Pick<Context, 'request' | 'header'>): Promise<unknown> => {
  const type = ctx.header('content-type') ?? ''
  return JSON_TYPE.test(type)
    ? readJson(ctx)
    : FORM_TYPE.test(type)
      ? handled(readForm(ctx).then((form) => recordOf(form as Iterable<[string, File]>)))
      : handled(Promise.reject(refusal(415, 'Unsupported Media Type')))
}
