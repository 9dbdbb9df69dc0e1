import { createResponse, withBody } from '#runtime/core'
import { fromBase64url, toBase64url } from '../crypto/encoding.ts'
import { peek } from '../stream/peek.ts'

/** A stored response. */
export interface RecordedResponse {
  readonly status: number
  readonly fields: readonly (readonly [string, string])[]
  /** Bytes as base64url; absent if the body was too large, or was a stream that did not end at once. */
  readonly body?: string
}

/** Largest body that is kept, in bytes: as base64, and with its headers, it fits into a `text` of MySQL. */
const MAX_BODY = 32_768

/** Headers that belong to one transmission, not to the content. */
const NOT_RECORDED = /^(set-cookie|date|connection|keep-alive|transfer-encoding|content-length)$/

/** The stored form of a response, and the response with its body unread. */
export const recordResponse = async (response: Response): Promise<[RecordedResponse, Response]> => {
  const { status, headers } = response
  const fields = [...headers].filter(([name]) => !NOT_RECORDED.test(name))
  if (!response.body) return [{ status, fields, body: '' }, response]
  const [large, body] = await peek(response.body, MAX_BODY + 1)
  if (large) return [{ status, fields }, withBody(response, body)]
  const bytes = new Uint8Array(await new Response(body as BodyInit).arrayBuffer())
  return [{ status, fields, body: toBase64url(bytes) }, withBody(response, bytes)]
}

/** The first response again; `undefined` if its body was not stored. */
export const replayResponse = ({ status, fields, body }: RecordedResponse): Response | undefined => {
  if (body === undefined) return undefined
  const bytes = fromBase64url(body) ?? null
  const headers = [...fields, ['idempotency-replayed', 'true'] as const]
  return createResponse(bytes?.byteLength ? bytes : null, undefined, { status, headers })
}
