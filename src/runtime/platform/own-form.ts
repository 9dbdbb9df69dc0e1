import { handled } from '../../internal/awaitable.ts'
import { bytesOf, type Kept } from '../../internal/body/read-body.ts'
import { formOf } from './typed-content.ts'

/** Let a request whose body is kept read forms with our parser: those of the platforms refuse valid ones. */
export const withOwnForm = (request: Request): Request => {
  const kept = request as Kept
  if (Object.hasOwn(request, 'formData'))
    kept.formData = () => handled(bytesOf(request).then((bytes) => formOf(bytes, request.headers.get('content-type'))))
  return request
}
