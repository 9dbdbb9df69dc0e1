/** A response with status 204 and nothing else: `createResponse` would be too large for small bundles. */
export const noContent = (): Response => new Response(null, { status: 204 })
