/** Methods that zod 3 binds to their schema, so that they can be called without it. */
const BOUND = /* @__PURE__ */ (
  'parse safeParse parseAsync safeParseAsync spa refine refinement superRefine optional nullable nullish array promise ' +
  'or and transform brand default catch describe pipe readonly isOptional isNullable'
).split(' ')

/** Bind these methods to the schemas of a class. */
export const bindMethods = (prototype: object): void => {
  for (const name of BOUND) bind(prototype, name)
}

/** Replace a method by a getter that binds it, and that an assignment replaces. */
const bind = (prototype: object, name: string): void => {
  const method = (prototype as { [name: string]: (...args: never[]) => unknown })[name]!
  // Methods that parse are called often and kept; others are called once or never, and a copy costs more than a call
  const isParse = /arse/.test(name)
  Object.defineProperty(prototype, name, {
    configurable: true,
    get(this: object | undefined) {
      // A spy of vitest reads the method without a schema, and calls it with one
      if (!this) return method
      const value = method.bind(this)
      if (isParse) setOwnValue(this, name, value)
      return value
    },
    set(this: object, value) {
      setOwnValue(this, name, value)
    },
  })
}

/** A frozen schema stays as it is. */
const setOwnValue = (schema: object, name: string, value: unknown): boolean =>
  Reflect.defineProperty(schema, name, { value, configurable: true, writable: true })
