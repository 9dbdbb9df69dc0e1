import { inputAs } from '../internal/body/input.ts'
import { markHandled } from '../internal/promise/awaitable.ts'
import type { Context } from '../internal/types/context.ts'

/**
 * The body as input for a schema: JSON, or the fields of a form, depending on the `Content-Type`.
 *
 * @throws an error that becomes a 415 for any other content type, and a 400 for a body that does not match its type.
 * @example
 * route('POST', '/users', async (ctx) => json(User.parse(await readInput(ctx)), 201))
 */
export const readInput = (ctx: Pick<Context, 'request' | 'header'>): Promise<unknown> =>
  markHandled(inputAs(ctx, (input) => input))
