import type { AnyContext, FieldList, ResponseEdit } from './context.ts'
import { type Editable, finish } from './internal/context/finish.ts'

/**
 * Edit the response before it is sent, whether it comes from the handler, a middleware, `notFound` or `onError`.
 *
 * Each edit runs once; the last registered runs first. An edit changes the response in place or returns another one. A
 * field list sets each header that the response does not have yet, and adds to `vary` and `set-cookie`; it costs
 * nothing until the response is written. A value with a line break is never sent: an edit that sets it fails like a
 * handler that throws, and a list that contains it gives 500, at the latest when the response is written.
 *
 * @example
 * onResponse(ctx, (response) => response.headers.set('x-time', `${Date.now() - start}`))
 * onResponse(ctx, ['x-frame-options', 'DENY'])
 */
export const onResponse = (ctx: AnyContext, edit: ResponseEdit | FieldList): void => {
  const slots = ctx as AnyContext & Editable
  slots.finish = finish
  slots.edits ??= []
  slots.edits.push(edit)
}
