import { bytesOf } from '#runtime/request'
import type { Context } from '../context.ts'
import { handled } from '../internal/awaitable.ts'

/**
 * The body as bytes, in a new copy. It stays readable, any number of times.
 *
 * @example
 * route('PUT', '/files/:name', async (ctx) => text(`${(await readBytes(ctx)).byteLength} bytes`))
 */
export const readBytes = ({ request }: Pick<Context, 'request'>): Promise<Uint8Array<ArrayBuffer>> =>
  handled(bytesOf(request).then((bytes) => bytes.slice()))
