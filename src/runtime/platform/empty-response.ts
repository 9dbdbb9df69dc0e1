/** A response of a status and nothing else: what is left of `createResponse` where every byte is counted. */
export const emptyResponse = (status: number): Response => new Response(null, { status })
