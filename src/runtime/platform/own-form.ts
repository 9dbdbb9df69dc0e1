import { bytesOf, type Kept } from '../../internal/body/read-body.ts'
import { formOf } from './typed-content.ts'

/** Let a request whose body is kept read forms with our parser: those of the platforms refuse valid ones. */
export const withOwnForm = (request: Request): Request => {
  const kept = request as Kept
  if (Object.hasOwn(request, 'formData'))
    kept.formData = async () => formOf(await bytesOf(request), request.headers.get('content-type'))
  return request
}
