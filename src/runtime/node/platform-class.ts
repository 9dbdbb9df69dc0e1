/**
 * Put a platform class into the prototype chain of ours, for `instanceof`. The first `instanceof` replaces the `Proxy`
 * with the class, because the access to the global loads undici: some 15 ms that most processes never need.
 */
export const inheritFrom = (
  Class: { readonly prototype: object },
  name: 'Headers' | 'Request' | 'Response',
  whenLoaded: () => void = () => {},
): void => {
  const getPrototypeOf = (): object => {
    const { prototype } = globalThis[name]
    Object.setPrototypeOf(Class.prototype, prototype)
    whenLoaded()
    return prototype
  }
  Object.setPrototypeOf(Class.prototype, new Proxy({}, { getPrototypeOf }))
}

/** Define read-only members that have the same value in every object of a class. */
export const defineDefaults = (prototype: object, defaults: Readonly<Record<string | symbol, unknown>>): void => {
  for (const name of Reflect.ownKeys(defaults))
    Object.defineProperty(prototype, name, { get: () => defaults[name], configurable: true })
}

type Clonable = Pick<Request, 'clone'>

const natives = new WeakMap<Clonable, Request>()

/**
 * Let `new Request(ctx.request)` and `fetch(ctx.request)` read the state of a clone, which is under symbols on Node 20
 * and 22. Node 24 has private fields: there, users call `clone()`.
 */
export const exposeInternalSlots = (prototype: Clonable): void => {
  for (const symbol of Object.getOwnPropertySymbols(new Request('http://localhost'))) {
    Object.defineProperty(prototype, symbol, {
      get(this: Clonable): unknown {
        let native = natives.get(this)
        if (!native || native.bodyUsed) native = this.clone()
        natives.set(this, native)
        return native[symbol as never]
      },
    })
  }
}
