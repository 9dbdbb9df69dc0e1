import type { Awaitable } from '../promise/awaitable.ts'
import { withLists } from '../schema/with-lists.ts'
import type { AnySchema } from '../types/any-schema.ts'
import type { AnyContext } from '../types/context.ts'
import { recordOf } from './form-record.ts'
import { inputFor } from './input.ts'
import { nativeJson } from './json.ts'
import { bareRequest } from './read-body.ts'

/** Part of the request that is validated. */
export type ValidationSource = 'body' | 'query' | 'params' | 'headers'

type Read = <T>(ctx: AnyContext, schema: AnySchema, take: (part: unknown) => Awaitable<T>) => Awaitable<T>

export const readJson: Read = (ctx, schema, take) =>
  ctx.state.body === undefined ? nativeJson(bareRequest(ctx), take) : inputFor(ctx, schema, take)

export const READ: Readonly<Record<ValidationSource, Read>> = {
  body: inputFor,
  query: (ctx, schema, take) => take(withLists(schema, recordOf(ctx.query))),
  params: (ctx, _, take) => take(ctx.params),
  headers: (ctx, _, take) => take(recordOf(ctx.request.headers)),
}
