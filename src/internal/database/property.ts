/** A property of any value, such as an error or a module; undefined if there is none. */
export const propertyOf = (value: unknown, name: string): unknown => Reflect.get(Object(value), name)

/** The same as text; empty if it is something else. */
export const textOf = (value: unknown, name: string): string => {
  const text = propertyOf(value, name)
  return typeof text === 'string' ? text : ''
}
