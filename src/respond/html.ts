import { createResponse } from '#runtime/response'
import type { HeadersInput, ResponseOptions } from '../internal/fields.ts'

/**
 * An HTML response, UTF-8. The markup is sent as it is: escape what users wrote.
 *
 * @example
 * html('<h1>Hello</h1>')
 */
export const html = (markup: string, status?: number | ResponseOptions, headers?: HeadersInput): Response =>
  createResponse(String(markup), 'text/html; charset=utf-8', status, headers)
