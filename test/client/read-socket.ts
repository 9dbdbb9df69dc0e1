/** The messages of a socket until it ends, and the error of its end. */
export const readSocket = async (chat: AsyncIterable<{ data: string | Uint8Array }>): Promise<unknown[]> => {
  const got: unknown[] = []
  try {
    for await (const { data } of chat) got.push(typeof data === 'string' ? data : [...data])
  } catch (error) {
    got.push(error)
  }
  return got
}
