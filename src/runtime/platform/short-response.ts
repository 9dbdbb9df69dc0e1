/** A response of status 204 and nothing else: what is left of `createResponse` where every byte is counted. */
export const noContent = (): Response => new Response(null, { status: 204 })
