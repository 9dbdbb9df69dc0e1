import type { Awaitable } from '../awaitable.ts'
import { type Editable, finish } from './finish.ts'

type ResponseEdit = (response: Response) => Awaitable<Response | void>

/** The part of a context that is used. */
export interface Inside extends Editable {
  readonly depth: number
  readonly raced: number
}

/**
 * Edit the response of what is behind a middleware, after the edits of what is behind it: for a middleware that stores
 * the response, because what middleware in front does to it later may be for one client, and is done again each time.
 *
 * If what is behind throws, the response that leaves the application is edited. If middleware in front responds first,
 * as `timeout` does, the late response is, which nobody gets; a late error counts as a 500.
 *
 * @param otherwise edits the response that leaves the application, in both of these cases
 */
export const editInner = async (
  ctx: Inside,
  next: () => Awaitable<Response>,
  edit: ResponseEdit,
  otherwise?: ResponseEdit,
): Promise<Response> => {
  const { depth } = ctx
  /** From then on, the edits of the context are those of another response. */
  const isLate = (): boolean => ctx.raced <= depth
  let failed = false
  const leave = (response: Response): Awaitable<Response | void> =>
    otherwise ? otherwise(response) : failed ? edit(response) : undefined
  const fail = async (): Promise<void> => {
    if (!isLate()) failed = true
    else if (!otherwise) await edit(new Response(null, { status: 500 }))
  }
  ctx.finish = finish
  ctx.edits ??= []
  ctx.edits.push(leave)
  let response: Response
  try {
    response = await next()
  } catch (error) {
    await fail()
    throw error
  }
  if (isLate()) return (!otherwise && (await edit(response))) || response
  const at = ctx.edits.indexOf(leave)
  const edits = ctx.edits.splice(at)
  const inner: Editable = { adopted: ctx.adopted, edits, finish: undefined }
  edits[0] = function last(current: Response): Awaitable<Response | void> {
    // An edit can register others, as that of a cookie does
    const added = isLate() ? [] : ctx.edits!.splice(at)
    if (!added.length) return edit(current)
    edits.push(last, ...added)
  }
  try {
    return await finish(inner, response, raise)
  } catch (error) {
    if (edits.length) {
      // Those that have not run edit the response to the error
      ctx.edits.push(leave, ...edits.slice(1))
      await fail()
    }
    throw error
  } finally {
    if (!isLate()) ctx.adopted = inner.adopted
  }
}

const raise = (error: unknown): never => {
  throw error
}
