import { withoutBody } from '#runtime/response'

/**
 * Replace the response of a request. Nobody will read the one before, so its body is cancelled, unless the new one uses
 * it.
 *
 * @returns the new response.
 */
export const replace = (before: Response | undefined, response: Response): Response => {
  if (before && before !== response) withoutBody(before, response)
  return response
}
