import type { Awaitable } from '../awaitable.ts'
import { type Editable, finish } from './finish.ts'

type ResponseEdit = (response: Response) => Awaitable<Response | void>

/**
 * Edit the response of what is behind a middleware, after the edits of what is behind it: for a middleware that stores
 * the response, because what middleware in front does to it later may be for one client, and is done again each time.
 *
 * If what is behind throws, the response that leaves the application is edited. If middleware in front responds first,
 * as `timeout` does, the late response is, which nobody gets.
 *
 * @param otherwise edits the response that leaves the application, in both of these cases
 */
export const editInner = async (
  ctx: Editable,
  next: () => Awaitable<Response>,
  edit: ResponseEdit,
  otherwise?: ResponseEdit,
): Promise<Response> => {
  let runs = true
  let left = false
  const leave = (response: Response): Awaitable<Response | void> => {
    left = runs
    return otherwise ? otherwise(response) : runs ? undefined : edit(response)
  }
  ctx.finish = finish
  ctx.edits ??= []
  ctx.edits.push(leave)
  let response: Response
  try {
    response = await next()
  } finally {
    runs = false
  }
  if (left) return (!otherwise && (await edit(response))) || response
  const inner: Editable = { adopted: ctx.adopted, edits: ctx.edits.splice(ctx.edits.indexOf(leave)), finish: undefined }
  inner.edits![0] = edit
  try {
    return await finish(inner, response, raise)
  } catch (error) {
    // Those that have not run edit the response to the error
    if (inner.edits!.length) ctx.edits.push(leave, ...inner.edits!.slice(1))
    throw error
  } finally {
    ctx.adopted = inner.adopted
  }
}

const raise = (error: unknown): never => {
  throw error
}
