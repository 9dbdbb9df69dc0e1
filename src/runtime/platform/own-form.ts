import { handled } from '../../internal/awaitable.ts'
import { bytesOf, type Kept } from '../../internal/body/read-body.ts'
import * as platform from './rereadable.ts'
import { formOf } from './typed-content.ts'

/** `rereadable` with our parser for forms: those of the platforms refuse valid ones, and Deno's takes half of one. */
export const rereadable = (request: Request): Request => {
  const kept = platform.rereadable(request) as Kept
  if (Object.hasOwn(kept, 'formData'))
    kept.formData = () => handled(bytesOf(kept).then((bytes) => formOf(bytes, kept.headers.get('content-type'))))
  return kept
}
