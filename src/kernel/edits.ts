/**
 * Invariants: edits run last first, each once, on the copy of this request. The first error becomes a response like any
 * error, later ones are only reported, and the other edits still run.
 */
import { DEV } from '#mode'
import { addFields, isResponse, report } from '#runtime/core'
import { isFieldValue, isToken } from '../internal/header/field-name.ts'
import { foldNames } from '../internal/header/fields.ts'
import { checkOption } from '../internal/options/check.ts'
import { type Awaitable, isPromise, whenResolved } from '../internal/promise/awaitable.ts'
import type { AnyContext, FieldList, ResponseEdit } from '../internal/types/context.ts'
import { cancelBody, toErrorResponse } from './boundary.ts'
import { type BaseContext, type Edit, internalsOf, toOwnResponse } from './context.ts'

/**
 * Edit any response before it leaves the application: with a function, or with a list of headers to add, such as
 * `['X-Frame-Options', 'DENY']`. The last edit runs first. A function that returns another response must cancel the
 * body of the one that it got.
 *
 * @throws {TypeError} for a list that is not of names and values as HTTP allows them. The edge refuses only what
 * `Headers` does, when the edit runs.
 * @example
 * onResponse(ctx, (response) => void response.headers.set('x-time', '1'))
 */
export const onResponse = (ctx: AnyContext, edit: ResponseEdit | FieldList): void => {
  if (DEV) checkEdit(edit)
  addEdit(ctx, typeof edit === 'function' ? edit : foldNames(edit))
}

/** The build with checks: on Node, the headers of a response are lists, not `Headers`. */
const checkEdit = (edit: unknown): void => {
  if (typeof edit === 'function') return
  const isList = Array.isArray(edit) && edit.length % 2 === 0
  checkOption(isList, 'onResponse', 'a function, or a list of names and values', edit)
  for (let index = 0; index < edit.length; index += 2) {
    const name = edit[index]
    const value = edit[index + 1]
    if (!isToken(name)) checkOption(false, 'onResponse', 'a field name', name)
    if (value == null || !isFieldValue(value)) checkOption(false, `onResponse: ${name}`, 'a field value', value)
  }
}

/** `onResponse` for lists whose names are in lower case already. */
export const addEdit = (ctx: AnyContext, edit: ResponseEdit | FieldList): void => {
  const internals = internalsOf(ctx)
  internals.runEdits = runEdits
  internals.edits = { edit, older: internals.edits }
}

/** `onResponse` for an edit that runs after all others. */
export const addLast = (ctx: AnyContext, edit: ResponseEdit): void => {
  let last = internalsOf(ctx).edits
  while (last?.older) last = last.older
  if (last) last.older = { edit, older: undefined }
  else addEdit(ctx, edit)
}

/**
 * Wait for `next`, run the edits that the rest of the chain registered, then call `edit`: for middleware that stores
 * responses. Edits of middleware in front may concern one client, so they run later, also on each stored response.
 *
 * If `next` throws, this edits the final response of the application. If a deadline has passed, this edits the late
 * response, which nobody gets; a late error counts as a 500.
 *
 * @param otherwise called in these two cases instead of `edit`, with the final response of the application
 */
export const editInner = async (
  ctx: AnyContext,
  next: () => Awaitable<Response>,
  edit: ResponseEdit,
  otherwise?: ResponseEdit,
): Promise<Response> => {
  const internals = internalsOf(ctx)
  let failed = false
  addEdit(internals, (response) => otherwise?.(response) ?? (failed ? edit(response) : undefined))
  const place = internals.edits
  let response: Response
  try {
    response = await next()
    if (!internals.isRaceOver) response = await runEdits(internals, response, place, raise)
  } catch (error) {
    failed = !otherwise
    if (failed && internals.isRaceOver) await edit(new Response(null, { status: 500 }))
    throw error
  }
  // Remove the edit that this call has added
  if (internals.edits === place) internals.edits = place?.older
  else if (otherwise) return response
  return (await edit(response)) || response
}

type Recover = (error: unknown, ctx: BaseContext, response: Response) => Awaitable<Response>

/** Run the edits that are newer than `until`. After the first error, continue with the response of `recover`. */
const runEdits = (
  ctx: BaseContext,
  unedited: Response,
  until?: Edit,
  recover: Recover = toErrorResponse,
): Awaitable<Response> => {
  let response = unedited
  const recoverFrom = (error: unknown): Awaitable<Response> =>
    whenResolved(recover(error, ctx, response), (instead) => {
      if (instead !== error) cancelBody(response, instead)
      return runEdits(ctx, instead, until, onlyReport)
    })
  while (ctx.edits && ctx.edits !== until) {
    try {
      // If the copy fails, the edit has not run and stays registered
      response = toOwnResponse(response, ctx)
      const { edit, older } = ctx.edits
      ctx.edits = older
      if (typeof edit === 'function') {
        const edited = edit(response)
        if (isPromise(edited))
          return edited.then((late) => runEdits(ctx, isResponse(late) ? late : response, until, recover), recoverFrom)
        if (isResponse(edited)) response = edited
      } else {
        response = addFields(response, edit, until ? undefined : ctx)
        ctx.ownResponse = response
      }
    } catch (error) {
      return recoverFrom(error)
    }
  }
  return response
}

/** Report the error. Continue with the response, or with a 500 if it is not the copy of this request or was read. */
const onlyReport: Recover = (error, ctx, response) => {
  report(error)
  return response === ctx.ownResponse && !response.bodyUsed ? response : new Response(null, { status: 500 })
}

const raise: Recover = (error) => {
  throw error
}
