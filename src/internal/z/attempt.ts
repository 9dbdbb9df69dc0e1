/** A conversion for `coerce`. A value that it cannot convert is returned unchanged, and the type check reports it. */
export const tryConvert =
  (convert: (value: never) => unknown) =>
  (value: unknown): unknown => {
    try {
      const converted = convert(value as never)
      // A list, such as a query parameter that repeats, is reported as a list
      return Array.isArray(value) && Number.isNaN(converted) ? value : converted
    } catch {
      return value
    }
  }
