/**
 * The same response, which calls `done` once: when its body has been read to the end, has failed, or was cancelled
 * because the client has disconnected; at once if it has no body.
 */
export const afterBody = (response: Response, done: () => void): Response => {
  if (response.body === null) {
    done()
    return response
  }
  return new Response(watchBody(response.body, done), response)
}

const watchBody = (body: ReadableStream<Uint8Array>, done: () => void): ReadableStream<Uint8Array> => {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done: ended, value } = await reader.read()
          if (!ended) {
            controller.enqueue(value)
            return
          }
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
}
