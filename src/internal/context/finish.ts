import { replace } from '#runtime/replace'
import { addFields, adopt } from '#runtime/response'
import { type Awaitable, after, isPromise } from '../awaitable.ts'
import { report } from '../error/report.ts'
import type { FieldList } from '../header/fields.ts'
import { isResponse } from '../is-response.ts'

/** A function that edits a response or returns another one, or a list of headers to add. */
export type Edit = FieldList | ((response: Response) => Awaitable<Response | void>)

/** Turns the error of an edit into a response; never throws itself. */
type Rescue = (error: unknown, ctx: never) => Awaitable<Response>

/** The slots of a context for edits. The error boundary calls `finish` if it is there. */
export interface Editable {
  /** The newest response, as a copy that only this request has. Edits work on it. */
  adopted?: Response | undefined
  /** The edits that have not run yet, newest last. */
  edits: Edit[] | undefined
  finish: ((ctx: Editable, response: Response, rescue: Rescue) => Awaitable<Response>) | undefined
}

/** The progress of the edits of a response. */
interface Progress {
  /** The copy that edits work on. */
  own?: Response | undefined
  /**
   * True once an error of an edit was handled by `onError`, which may register further edits: further errors are not.
   */
  failed?: boolean
}

/**
 * Run the edits, the last one first, each once. The error of the first edit that fails becomes a response like any
 * error; further errors are only reported. The other edits still run.
 *
 * Edits work on a copy, because a handler may keep the response and return it for another request. The last copy that
 * the chain made is reused.
 */
export const finish = (
  ctx: Editable,
  response: Response,
  rescue: Rescue,
  progress: Progress = { own: ctx.adopted },
): Awaitable<Response> => {
  let current = response
  const fail = (error: unknown, unrun?: Edit): Awaitable<Response> => {
    // It may have to free what the request holds
    if (unrun) ctx.edits!.push(unrun)
    if (progress.failed) {
      report(error)
      return unrun ? new Response(null, { status: 500 }) : current
    }
    progress.failed = true
    return after(rescue(error, ctx as never), (answer) => replace(current, answer))
  }
  while (ctx.edits!.length) {
    const edit = ctx.edits!.pop()!
    let edited: Awaitable<Response | void> | undefined
    try {
      const own = current === progress.own
      if (typeof edit !== 'function') current = addFields(current, edit, own, ctx.edits)
      else if (!own) current = adopt(current)
      progress.own = current
      ctx.adopted = current
      if (typeof edit === 'function') edited = edit(current)
    } catch (error) {
      edited = fail(error, current === progress.own || isCopied(current) ? undefined : edit)
    }
    if (isPromise(edited))
      return edited.then(
        (given) => finish(ctx, keep(given, current), rescue, progress),
        (error) => after(fail(error), (answer) => finish(ctx, answer, rescue, progress)),
      )
    current = keep(edited, current)
  }
  return current
}

/** Whether a copy can be made: not of a response that was read before. An edit waits for one, as does a list. */
const isCopied = (response: Response): boolean => {
  try {
    return !!adopt(response)
  } catch {
    return false
  }
}

/** The response that an edit returns, or the edited one. */
const keep = (given: Response | void, edited: Response): Response =>
  isResponse(given) ? replace(edited, given) : edited
