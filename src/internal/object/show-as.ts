/** The method that consoles of Node, Bun and Deno call. */
export const PRINTED: symbol = /* @__PURE__ */ Symbol.for('nodejs.util.inspect.custom')

const SECRET = /^(proxy-)?authorization$|cookie$|token|secret|api-?key/

/** Set what `console.log` prints for a class. The method of the platform's class fails for objects of another class. */
export const showAs = <T extends object>(
  Class: { readonly prototype: T },
  name: string,
  view: (self: T) => object,
): void => {
  Object.defineProperty(Class.prototype, PRINTED, {
    value(this: T, depth: number, options: object, inspect: (value: unknown, options: object) => string): string {
      return depth < 0 ? `[${name}]` : `${name} ${inspect(view(this), options)}`
    },
  })
}

/** Headers for printing, without secret values. */
export const shownFields = (fields: Iterable<readonly [string, string]>): Record<string, string> => {
  const record: Record<string, string> = {}
  for (const [name, value] of fields) record[name] = SECRET.test(name) ? '…' : value
  return record
}
