import { jsonOf } from '../internal/body/json.ts'
import { bareRequest } from '../internal/body/read-body.ts'
import { markHandled } from '../internal/promise/awaitable.ts'
import type { Context } from '../internal/types/context.ts'

/**
 * The body parsed as JSON. It can be read again.
 *
 * @throws an error that becomes a 400 `{ error: 'Invalid JSON' }`, if the body is not JSON.
 * @example
 * route('POST', '/users', async (ctx) => json(await readJson(ctx), 201))
 */
export const readJson = <T = unknown>(ctx: Pick<Context, 'request'>): Promise<T> =>
  markHandled(jsonOf(bareRequest(ctx), (value) => value)) as Promise<T>
