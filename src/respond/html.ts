import type { HeadersInput, ResponseOptions } from '../internal/header/fields.ts'
import { streamResponse } from '../internal/stream/stream-response.ts'

/** A value that provides its own body: the markup of `sluice/html` and JSX. */
export interface HtmlBody {
  /** The markup, or a stream of it. */
  toBody(): string | ReadableStream<Uint8Array>
}

/**
 * An HTML response, UTF-8. A string is sent unchanged: escape user input, or pass markup of `sluice/html`.
 *
 * @example
 * html('<h1>Hello</h1>')
 */
export const html = (markup: string | HtmlBody, status?: number | ResponseOptions, headers?: HeadersInput): Response =>
  streamResponse((markup as HtmlBody)?.toBody?.() ?? String(markup), 'text/html; charset=utf-8', status, headers)
