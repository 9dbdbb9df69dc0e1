/** True for an object of conditions or values: neither null nor a list. */
export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A property of any value, such as an error or a module; undefined if there is none. */
export const propertyOf = (value: unknown, name: string): unknown => Reflect.get(Object(value), name)

/** A property that is a string; empty if it is something else. */
export const textOf = (value: unknown, name: string): string => {
  const text = propertyOf(value, name)
  return typeof text === 'string' ? text : ''
}
