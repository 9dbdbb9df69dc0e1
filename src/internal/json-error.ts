/** The body is not JSON. A `SyntaxError`, as Fetch has it, that is answered with 400 and says nothing of the parser. */
export class JsonError extends SyntaxError {
  readonly status = 400
}

/** @throws {JsonError} when the text is not JSON; the parser's own error is its `cause`. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new JsonError('Invalid JSON', { cause })
  }
}
