import { createResponse } from '#runtime/core'
import type { HeadersInput, ResponseOptions } from '../internal/header/fields.ts'
import { TEXT } from '../internal/header/text-type.ts'

/**
 * A plain text response, UTF-8.
 *
 * @example
 * text('Too early', 425, { 'retry-after': '5' })
 */
export const text = (content: string, status?: number | ResponseOptions, headers?: HeadersInput): Response =>
  createResponse(String(content), TEXT, status, headers)
