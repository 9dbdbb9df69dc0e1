import { bytesOf, type RereadableRequest } from './read-body.ts'

/**
 * The body as a stream, even if a reader has kept its bytes. A request of Node's server makes a new stream of them, but
 * the stream of a platform's request is used up then.
 */
export const bodyStream = async (request: RereadableRequest): Promise<ReadableStream<Uint8Array> | null> =>
  request['~bytes'] ? new Response(await bytesOf(request)).body : request.body
