import { createResponse } from './response.ts'

/** A response of status 204 and nothing else, lazy like all that are made here. */
export const noContent = (): Response => createResponse(null, undefined, 204)

/** A JSON response without fields of its own. */
export const shortJson = (data: unknown, status: number): Response =>
  createResponse(JSON.stringify(data), 'application/json', status)
