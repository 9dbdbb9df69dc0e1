import { textOf } from '#runtime/request'
import type { Context } from '../context.ts'

/**
 * The body as text, UTF-8; a byte order mark is dropped. The body stays readable, any number of times.
 *
 * @example
 * route('POST', '/notes', async (ctx) => text(await readText(ctx)))
 */
export const readText = ({ request }: Pick<Context, 'request'>): Promise<string> => textOf(request)
