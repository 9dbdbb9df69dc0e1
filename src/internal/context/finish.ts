import { addFields, adopt, withoutBody } from '#runtime/response'
import { type Awaitable, after, isPromise } from '../awaitable.ts'
import { report } from '../error/report.ts'
import type { FieldList } from '../header/fields.ts'
import { isResponse } from '../is-response.ts'

/** Edits a response, gives another in its place, or is a list of fields to add. */
export type Edit = FieldList | ((response: Response) => Awaitable<Response | void>)

/** Answers what an edit threw; never throws itself. */
type Rescue = (error: unknown, ctx: never) => Awaitable<Response>

/** The slots of a context for edits. The error boundary calls `finish` if it is there. */
export interface Editable {
  /** The response that edits work on. */
  response: Response | undefined
  /** The copy of the newest response, if it is one that only this request has. */
  readonly adopted?: Response | undefined
  /** What is still to be run, newest last. */
  edits: Edit[] | undefined
  finish: ((ctx: Editable, response: Response, rescue: Rescue) => Awaitable<Response>) | undefined
}

/** How far the edits of a response have come. */
interface Progress {
  /** The copy that edits work on. */
  own?: Response | undefined
  /** True once an edit was answered by `onError`, which may register further edits: no other one is. */
  failed?: boolean
}

/**
 * Run the edits, the last first, each once. The first edit that fails is answered like any error; a further one is
 * reported. The others still run.
 *
 * Edits work on a copy: what the chain gave may be kept by somebody, and given to another request, unless it is the copy
 * that the chain has made last.
 */
export const finish = (
  ctx: Editable,
  response: Response,
  rescue: Rescue,
  progress: Progress = { own: ctx.adopted },
): Awaitable<Response> => {
  let current = response
  const fail = (error: unknown): Awaitable<Response> => {
    if (progress.failed) {
      report(error)
      return current
    }
    progress.failed = true
    return after(rescue(error, ctx as never), (answer) => {
      // The body stays if the answer has it
      withoutBody(current, answer)
      return answer
    })
  }
  while (ctx.edits!.length) {
    const edit = ctx.edits!.pop()!
    let edited: Awaitable<Response | void> | undefined
    try {
      const own = current === progress.own
      if (typeof edit !== 'function') current = addFields(current, edit, own, ctx.edits)
      else if (!own) current = adopt(current)
      progress.own = current
      ctx.response = current
      if (typeof edit === 'function') edited = edit(current)
    } catch (error) {
      edited = fail(error)
    }
    if (isPromise(edited))
      return edited.then(
        (given) => finish(ctx, isResponse(given) ? given : current, rescue, progress),
        (error) => after(fail(error), (answer) => finish(ctx, answer, rescue, progress)),
      )
    if (isResponse(edited)) current = edited
  }
  return current
}
