import { rereadable } from '#runtime/core'
import { markHandled } from '../internal/promise/awaitable.ts'
import type { Context } from '../internal/types/context.ts'

/**
 * The body as form data, urlencoded or multipart. It can be read again.
 *
 * @throws an error that becomes a 400 if the body is not a form.
 * @example
 * route('POST', '/search', async (ctx) => text(`${(await readForm(ctx)).get('q')}`))
 */
export const readForm = ({ request }: Pick<Context, 'request'>): Promise<FormData> =>
  markHandled(rereadable(request).formData())
