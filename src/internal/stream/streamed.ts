import { createResponse, streamOf } from '#runtime/response'
import type { ResponseRuntime } from '../../runtime/contract.ts'

/**
 * `createResponse` for a stream. If no response can be created, or its status has no body, nobody will read the stream:
 * it is cancelled.
 */
export const streamed = (
  body: ReadableStream,
  ...rest: Rest<Parameters<ResponseRuntime['createResponse']>>
): Response => {
  let response: Response | undefined
  try {
    response = createResponse(body, ...rest)
    return response
  } finally {
    if (!response || !streamOf(response)) body.cancel().catch(() => {})
  }
}

type Rest<List> = List extends [unknown, ...infer Others] ? Others : never
