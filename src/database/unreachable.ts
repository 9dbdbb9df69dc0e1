/**
 * Why a server cannot be reached, in words: where a name has several addresses, Node's error has an empty message and
 * hides the reasons inside.
 */
export const toReachError = (database: string, error: unknown): unknown => {
  if (!(error instanceof AggregateError)) return error
  const reasons = error.errors.map(messageOf)
  const { code } = error as { code?: string }
  return Object.assign(new Error(`${database} cannot be reached: ${reasons.join('; ')}`, { cause: error }), { code })
}

/** The message of whatever was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
