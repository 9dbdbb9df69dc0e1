import type { Context } from '../context.ts'
import { handled } from '../internal/awaitable.ts'
import { parseJson } from '../internal/body/parse-json.ts'
import { readText } from './text.ts'

/**
 * The body parsed as JSON. It stays readable, any number of times.
 *
 * @throws {SyntaxError} if the body is not JSON; becomes a 400 `{ error: 'Invalid JSON' }`.
 * @example
 * route('POST', '/users', async (ctx) => json(await readJson(ctx), 201))
 */
export const readJson = <T = unknown>(ctx: Pick<Context, 'request'>): Promise<T> =>
  handled(readText(ctx).then(parseJson)) as Promise<T>
