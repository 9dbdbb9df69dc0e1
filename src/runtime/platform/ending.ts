import { type Closing, endWith } from '../../internal/closing.ts'
import { report } from '../../internal/error/report.ts'
import { isEvents } from './closing.ts'
import { isWhole } from './response.ts'

/**
 * A response as Bun and Deno may send it: a stream of events ends when the server closes.
 *
 * @throws {TypeError} for a body that was partly read: its rest would be sent as if it were complete.
 */
export const ready = (response: Response, closing: Closing): Response => {
  if (response.bodyUsed) throw new TypeError('The body of the response has been read already')
  // On Bun and Deno, reading the headers of a response is slow
  if (isWhole(response) || !isEvents(response.headers.get('content-type')) || !response.body) return response
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader()
  const endless = { serverCloses: () => void reader.cancel(new Error('The server is closing')).catch(() => {}) }
  const forget = (): void => void closing.endless.delete(endless)
  endWith(closing, endless)
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        forget()
        throw error
      })
      if (!done) return controller.enqueue(value)
      forget()
      controller.close()
    },
    cancel(reason) {
      forget()
      return reader.cancel(reason)
    },
  })
  return new Response(body, response)
}

/** The response to an error that the application did not handle: it says nothing about the error. */
export const answerError = (error: unknown): Response => {
  report(error)
  return Response.json({ error: 'Internal Server Error' }, { status: 500 })
}
