import { createResponse } from './response.ts'

/** A response of status 204 and nothing else, lazy like all that are made here. */
export const noContent = (): Response => createResponse(null, undefined, 204)
