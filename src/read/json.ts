import { textOf } from '#runtime/request'
import type { Context } from '../context.ts'
import { handled } from '../internal/awaitable.ts'
import { parseJson } from '../internal/body/parse-json.ts'
import { bareRequest } from '../internal/context/bare-request.ts'

/**
 * The body parsed as JSON. It stays readable, any number of times.
 *
 * @throws {SyntaxError} if the body is not JSON; becomes a 400 `{ error: 'Invalid JSON' }`.
 * @example
 * route('POST', '/users', async (ctx) => json(await readJson(ctx), 201))
 */
export const readJson = <T = unknown>(ctx: Pick<Context, 'request'>): Promise<T> =>
  handled(textOf(bareRequest(ctx), parseJson)) as Promise<T>
