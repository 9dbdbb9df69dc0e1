/** Methods that zod 3 binds to their schema, so that they can be taken off it. */
const BOUND = /* @__PURE__ */ (
  'parse safeParse parseAsync safeParseAsync spa refine refinement superRefine optional nullable nullish array promise ' +
  'or and transform brand default catch describe pipe readonly isOptional isNullable'
).split(' ')

/** Let these methods be taken off the schemas of a class. */
export const bindMethods = (prototype: object): void => {
  for (const name of BOUND) bind(prototype, name)
}

/** Replace a method by a getter that binds it when it is first read. */
const bind = (prototype: object, name: string): void => {
  const method = (prototype as { [name: string]: (...args: never[]) => unknown })[name]!
  Object.defineProperty(prototype, name, {
    configurable: true,
    get(this: object) {
      const value = method.bind(this)
      // A frozen schema stays as it is.
      Reflect.defineProperty(this, name, { value, configurable: true, writable: true })
      return value
    },
  })
}
