import { bytesOf, type RereadableRequest } from '../../internal/body/read-body.ts'
import { markHandled } from '../../internal/promise/awaitable.ts'
import * as platform from './rereadable.ts'
import { formOf } from './typed-content.ts'

/**
 * `rereadable` with our parser for forms. Those of the platforms refuse valid forms, and Deno's reads a form without
 * its closing delimiter as an empty one (test/runtime/rows.mjs, "a form without its end").
 */
export const rereadable = (request: Request): Request => {
  const readable = platform.rereadable(request) as RereadableRequest
  if (Object.hasOwn(readable, 'formData'))
    readable.formData = () =>
      markHandled(bytesOf(readable).then((bytes) => formOf(bytes, readable.headers.get('content-type'))))
  return readable
}
