/** The same response, which calls `done` once: when its body has ended, has failed or was cancelled, or is absent. */
export const afterBody = (response: Response, done: () => void): Response => {
  if (response.body) return new Response(watchBody(response.body.getReader(), done), response)
  done()
  return response
}

/** The rest of a body, which calls `done` as {@link afterBody} does. Nothing is read ahead. */
export const watchBody = (
  reader: Pick<ReadableStreamDefaultReader<Uint8Array>, 'read' | 'cancel'>,
  done: () => void,
  start: (controller: ReadableStreamDefaultController<Uint8Array>) => void = () => {},
): ReadableStream<Uint8Array> =>
  new ReadableStream<Uint8Array>(
    {
      start,
      async pull(controller) {
        try {
          const { done: ended, value } = await reader.read()
          if (!ended) return controller.enqueue(value)
        } catch (error) {
          done()
          throw error
        }
        controller.close()
        done()
      },
      async cancel(reason) {
        try {
          await reader.cancel(reason)
        } finally {
          done()
        }
      },
    },
    { highWaterMark: 0 },
  )
