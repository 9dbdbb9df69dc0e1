import { bytesOf, type RereadableRequest } from '../../internal/body/read-body.ts'
import { markHandled } from '../../internal/promise/awaitable.ts'
import * as platform from './rereadable.ts'
import { formOf } from './typed-content.ts'

/** With our parser for forms: those of platforms refuse valid ones, and Deno's reads one without an end as empty. */
export const rereadable = (request: Request): Request => {
  const readable = platform.rereadable(request) as RereadableRequest
  if (Object.hasOwn(readable, 'formData'))
    readable.formData = () =>
      markHandled(bytesOf(readable).then((bytes) => formOf(bytes, readable.headers.get('content-type'))))
  return readable
}
