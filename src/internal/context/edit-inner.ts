import type { Awaitable } from '../awaitable.ts'
import { type Editable, finish } from './finish.ts'

type ResponseEdit = (response: Response) => Awaitable<Response | void>

/**
 * Edit the response of what is behind a middleware, after the edits of what is behind it: for a middleware that stores
 * the response, because what middleware in front does to it later may be for one client, and is done again each time.
 *
 * @param otherwise runs in place of `edit` on the response that leaves the application, if what is behind throws, or if
 * middleware in front responds first
 */
export const editInner = async (
  ctx: Editable,
  next: () => Awaitable<Response>,
  edit: ResponseEdit,
  otherwise: ResponseEdit = edit,
): Promise<Response> => {
  ctx.finish = finish
  ctx.edits ??= []
  ctx.edits.push(otherwise)
  const response = await next()
  const at = ctx.edits.indexOf(otherwise)
  if (at < 0) return response
  const behind = ctx.edits.splice(at).slice(1)
  const inner: Editable = { adopted: ctx.adopted, edits: [edit, ...behind], finish: undefined }
  try {
    return await finish(inner, response, raise)
  } catch (error) {
    // Those that have not run edit the response to the error
    if (inner.edits!.length) ctx.edits.push(otherwise, ...inner.edits!.slice(1))
    throw error
  } finally {
    ctx.adopted = inner.adopted
  }
}

const raise = (error: unknown): never => {
  throw error
}
