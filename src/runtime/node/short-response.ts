import { createResponse } from './response.ts'

/** A response with status 204 and nothing else, lazy like all responses here. */
export const noContent = (): Response => createResponse(null, undefined, 204)
