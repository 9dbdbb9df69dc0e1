import { createResponse } from '#runtime/response'
import type { HeadersInput, ResponseOptions } from '../internal/header/fields.ts'

/** What knows its own body: the markup that `sluice/html` and JSX make. */
export interface HtmlBody {
  /** The markup, or a stream of it. */
  toBody(): string | ReadableStream<Uint8Array>
}

/**
 * An HTML response, UTF-8. A string is sent as it is: escape what users wrote, or give it markup of `sluice/html`, which
 * is streamed if there are promises in it.
 *
 * @example
 * html('<h1>Hello</h1>')
 */
export const html = (markup: string | HtmlBody, status?: number | ResponseOptions, headers?: HeadersInput): Response =>
  createResponse((markup as HtmlBody)?.toBody?.() ?? String(markup), 'text/html; charset=utf-8', status, headers)
