import { bytesOf } from '#runtime/core'
import { markHandled } from '../internal/promise/awaitable.ts'
import type { Context } from '../internal/types/context.ts'

/**
 * The body as bytes, in a new copy. It can be read again.
 *
 * @example
 * route('PUT', '/files/:name', async (ctx) => text(`${(await readBytes(ctx)).byteLength} bytes`))
 */
export const readBytes = ({ request }: Pick<Context, 'request'>): Promise<Uint8Array<ArrayBuffer>> =>
  markHandled(bytesOf(request).then((bytes) => bytes.slice()))
