type Inspect = (value: unknown, options: object) => string

/** Fields whose values are secrets: they are not printed. */
const SECRET = /^(proxy-)?authorization$|cookie$|token|secret|api-?key/

/**
 * Decide what `console.log` and `util.inspect` print of a class: its name and a plain view, never its inside. Without
 * that they would also call what the platform's class has for this, which fails on an object that is not its own.
 */
export const showAs = <T extends object>(
  Class: { readonly prototype: T },
  name: string,
  view: (self: T) => object,
): void => {
  Object.defineProperty(Class.prototype, Symbol.for('nodejs.util.inspect.custom'), {
    value(this: T, depth: number, options: object, inspect: Inspect): string {
      return depth < 0 ? `[${name}]` : `${name} ${inspect(view(this), options)}`
    },
  })
}

/** Header fields as they are printed: the values of secret ones are left out. */
export const shownFields = (fields: Iterable<readonly [string, string]>): Record<string, string> => {
  const shown: Record<string, string> = {}
  for (const [name, value] of fields) shown[name] = SECRET.test(name) ? '…' : value
  return shown
}
