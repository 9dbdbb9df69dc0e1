/**
 * A conversion for `coerce`. A value that it cannot convert is returned unchanged, and the type check reports it.
 *
 * @example
 * attempt(BigInt)('x') // 'x'
 */
export const attempt =
  (convert: (value: never) => unknown) =>
  (value: unknown): unknown => {
    try {
      return convert(value as never)
    } catch {
      return value
    }
  }
