import { createResponse } from '#runtime/response'
import type { HeadersInput, ResponseOptions } from '../internal/header/fields.ts'

/**
 * A plain text response, UTF-8.
 *
 * @example
 * text('Too early', 425, { 'retry-after': '5' })
 */
export const text = (content: string, status?: number | ResponseOptions, headers?: HeadersInput): Response =>
  createResponse(String(content), 'text/plain; charset=utf-8', status, headers)
