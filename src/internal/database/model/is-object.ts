/** True for an object of conditions or values: neither null nor a list. */
export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
