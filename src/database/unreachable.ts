/**
 * Why a server cannot be reached, in words: where a name has several addresses, Node's error has an empty message and
 * hides the reasons inside.
 */
export const toReachError = (database: string, error: unknown): unknown => {
  if (!(error instanceof AggregateError)) return error
  const reasons = error.errors.map((inner) => (inner instanceof Error ? inner.message : String(inner)))
  const { code } = error as { code?: string }
  return Object.assign(new Error(`${database} cannot be reached: ${reasons.join('; ')}`, { cause: error }), { code })
}
