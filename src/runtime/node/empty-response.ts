import { createResponse } from './response.ts'

/** A response of a status and nothing else, lazy like all that are made here. */
export const emptyResponse = (status: number): Response => createResponse(null, undefined, status)
