import { MAX_TYPES, TEXT } from '../../internal/header/text-type.ts'
import { whole } from '../platform/response.ts'

/** A text with no field but its type, which is known without headers: Bun makes those as slowly as the response. */
class TypedResponse extends Response {
  /** Until the headers were read. */
  declare '~type': string | undefined

  override get headers(): Headers {
    const headers = super.headers
    if (this['~type'] === TEXT) headers.set('content-type', TEXT)
    this['~type'] = undefined
    return headers
  }

  override clone(): Response {
    // The platform copies its own headers
    void this.headers
    return super.clone()
  }
}

/** The header map of each content type. Bun copies one in half the time that it takes to read a record. */
const maps = new Map<string, Headers>()

/** A string with a content type. Bun sends a string without a type as plain text, unless it is empty. */
export const createTypedText = (text: string, type: string, status = 200): Response => {
  const bare = type === TEXT && text && status === 200
  const response = bare ? new TypedResponse(text) : new TypedResponse(text, { status, headers: headersOfType(type) })
  response['~type'] = type
  return whole(response, text)
}

/** Headers with a content type and no other field, to be copied and not changed. */
export const headersOfType = (type: string): Headers => {
  const first = maps.get(type)
  if (first) return first
  const headers = new Headers([['content-type', type]])
  if (maps.size < MAX_TYPES) maps.set(type, headers)
  return headers
}

/** The content type of a response that has no other field, if that is known without its headers. */
export const knownType = (response: Response): string | undefined => (response as Partial<TypedResponse>)['~type']
