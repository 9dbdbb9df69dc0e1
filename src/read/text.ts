import { textOf } from '#runtime/core'
import { bareRequest } from '../internal/body/read-body.ts'
import { markHandled } from '../internal/promise/awaitable.ts'
import type { Context } from '../internal/types/context.ts'

/**
 * The body as text, UTF-8, without a byte order mark. It can be read again.
 *
 * @example
 * route('POST', '/notes', async (ctx) => text(await readText(ctx)))
 */
export const readText = (ctx: Pick<Context, 'request'>): Promise<string> => markHandled(textOf(bareRequest(ctx)))
